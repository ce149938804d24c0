//! Bytes that behave like a provider's executable: made by rule, and deflate brings them to about a third.
//!
//! Executables of Go are machine code, tables of growing offsets, and names. Random bytes or zeros would say
//! nothing about inflating them.

/// Every page is of one kind.
const PAGE: usize = 4096;

/// A stream of numbers without a pattern (`SplitMix64`), the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn from(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    /// A number below `end`, which is small.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()])) % end
    }

    /// A number below `end`, small ones more often.
    fn skewed(&mut self, end: usize) -> usize {
        let within = self.below(end) + 1;
        let within = self.below(within) + 1;
        self.below(within)
    }
}

/// `size` such bytes; every seed makes others.
pub(crate) fn executable(seed: u64, size: usize) -> Vec<u8> {
    let mut numbers = Numbers::from(seed);
    let instructions = words(&mut numbers, 1_200, 2..8, Numbers::byte);
    let names = words(&mut numbers, 900, 3..14, |numbers| {
        b"etaoinsrhldcumfpgwybvkEPTSC._"[numbers.skewed(29)]
    });
    let mut bytes = Vec::with_capacity(size + 2 * PAGE);
    while bytes.len() < size {
        match numbers.below(10) {
            0..8 => code(&mut bytes, &mut numbers, &instructions),
            8 => offsets(&mut bytes, &mut numbers),
            _ => text(&mut bytes, &mut numbers, &names),
        }
    }
    bytes.truncate(size);
    bytes
}

fn words(
    numbers: &mut Numbers,
    count: usize,
    lengths: std::ops::Range<usize>,
    letter: impl Fn(&mut Numbers) -> u8,
) -> Vec<Vec<u8>> {
    let mut word = || {
        let length = lengths.start + numbers.below(lengths.len());
        (0..length).map(|_| letter(numbers)).collect()
    };
    (0..count).map(|_| word()).collect()
}

/// Instructions, some with the distance of a jump behind them; compilers repeat themselves.
fn code(bytes: &mut Vec<u8>, numbers: &mut Numbers, instructions: &[Vec<u8>]) {
    let end = bytes.len() + PAGE;
    while bytes.len() < end {
        match numbers.below(10) {
            0..2 => repeat(bytes, numbers),
            2 => bytes.extend_from_slice(&[numbers.byte(), numbers.byte(), 0xff, 0xff]),
            _ => bytes.extend_from_slice(&instructions[numbers.skewed(instructions.len())]),
        }
    }
}

/// Some bytes again of those not far back.
fn repeat(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    let back = numbers.skewed(8 * PAGE) + 1;
    let start = bytes.len().saturating_sub(back);
    let end = bytes.len().min(start + 8 + numbers.below(32));
    bytes.extend_from_within(start..end);
}

/// A table of growing offsets.
fn offsets(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    let mut offset = u32::from(numbers.byte()) << 16;
    for _ in 0..PAGE / 8 {
        offset += 16 << numbers.skewed(3);
        bytes.extend_from_slice(&offset.to_le_bytes());
        bytes.extend_from_slice(&[0xc0, 0, 0, 0]);
    }
}

fn text(bytes: &mut Vec<u8>, numbers: &mut Numbers, names: &[Vec<u8>]) {
    let end = bytes.len() + PAGE;
    while bytes.len() < end {
        bytes.extend_from_slice(&names[numbers.skewed(names.len())]);
    }
}
