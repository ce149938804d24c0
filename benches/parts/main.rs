//! How long the parts take on which the time of a run depends: `cargo bench`.
//!
//! `cargo bench --bench parts -- inflate` runs one group; `compare.sh` beside this directory measures whole
//! commands against the real `terraform`. Where another crate could do the work, it is measured beside ours.

mod archive;
mod constraints;
mod hash;
mod inflate;
mod lock_file;
mod mirror;
mod mirror_directory;
mod payload;
mod verify;

fn main() {
    divan::main();
}
