//! Numbers in words: plurals, sizes, durations.

/// `1 package`, `2 packages`: the count and the noun that fits it.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// A size for people: `17 B`, `1.2 MiB`.
pub fn bytes(size: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    for (unit, factor) in UNITS {
        if size >= factor {
            // Tenths by integer arithmetic, so that no rounding depends on floating point.
            let tenths = u128::from(size) * 10 / u128::from(factor);
            return format!("{}.{} {unit}", tenths / 10, tenths % 10);
        }
    }
    format!("{size} B")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_sizes_read_well() {
        assert_eq!(counted(1, "package"), "1 package");
        assert_eq!(counted(0, "package"), "0 packages");
        for (size, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1 << 20, "1.0 MiB"),
            (1 << 34, "16.0 GiB"),
        ] {
            assert_eq!(bytes(size), text);
        }
    }
}
