//! A test for each target.

use super::mutation::search;
use super::targets::{TARGETS, Target};

macro_rules! searches {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                search(target(stringify!($name)));
            }
        )*

        #[test]
        fn every_target_is_searched() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

searches! {
    versions addresses names
    lock_file shasums registry_answers discovery_answer mirror_documents evidence
    module_configuration state cli_configuration
    login_service login_answers credentials
    module_source module_answers module_lock module_archive
    archive signing_key signature
    http_answers
}

fn target(name: &str) -> &'static Target {
    let mut targets = TARGETS.iter();
    let found = targets.find(|target| target.name == name);
    found.expect("it is in the list")
}
