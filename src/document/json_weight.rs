//! What a JSON document will weigh in memory, told before it is parsed.
//!
//! Hostile input: a value of two bytes, such as `0,`, takes thirty in memory, and an object of seven takes hundreds, so
//! that a document within its cap could still exhaust the memory. A tree of honest values stays below the limit, which
//! four thousand versions for fifteen platforms each fit into.

/// The most that the values of one document may weigh in memory, in bytes.
const LIMIT: usize = 56 << 20;

/// An object's first node in memory.
const OBJECT: usize = 640;

/// Any other value, or a further member.
const VALUE: usize = 56;

/// More values than any document needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the document holds more values than any honest one")]
pub struct TooManyValues;

/// Refuses a document whose values would weigh too much, by its signs outside of strings.
pub(super) fn weigh(document: &[u8]) -> Result<(), TooManyValues> {
    let mut weight = 0;
    let (mut in_string, mut escaped) = (false, false);
    for &byte in document {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        weight += match byte {
            b'{' => OBJECT,
            b'[' | b',' | b':' => VALUE,
            _ => 0,
        };
        in_string = byte == b'"';
        if weight > LIMIT {
            return Err(TooManyValues);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_flood_of_small_values() {
        let many = LIMIT / VALUE + 1;
        for (value, count) in [("0,", many), ("[", many), ("{},", LIMIT / OBJECT + 1)] {
            let document = format!("[{}0]", value.repeat(count));
            assert_eq!(weigh(document.as_bytes()), Err(TooManyValues), "{value}");
        }
    }

    #[test]
    fn text_weighs_nothing_whatever_it_holds() {
        for text in [",", "{", r#"\""#, r"\\", r#"\",{"#] {
            let document = format!("[\"{}\"]", text.repeat(LIMIT / VALUE + 1));
            assert_eq!(weigh(document.as_bytes()), Ok(()), "{text}");
        }
    }

    #[test]
    fn long_list_of_versions_is_light() {
        let platforms = r#"{"os":"linux","arch":"amd64"},"#.repeat(14);
        let version = format!(
            r#"{{"version":"5.100.0","protocols":["5.0"],"platforms":[{platforms}{{}}]}},"#
        );
        let document = format!("{{\"versions\":[{}{{}}]}}", version.repeat(4000));
        assert_eq!(weigh(document.as_bytes()), Ok(()));
    }
}
