# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_provender_global_optspecs
    string join \n C/chdir= tool= j/jobs= offline cache-dir= no-cache ca-file= client-cert= client-key= q/quiet v/verbose json color= no-progress h/help V/version
end

function __fish_provender_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_provender_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_provender_using_subcommand
    set -l cmd (__fish_provender_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c provender -n "__fish_provender_needs_command" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_needs_command" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_needs_command" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_needs_command" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_needs_command" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_needs_command" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_needs_command" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_needs_command" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_needs_command" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_needs_command" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_needs_command" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_needs_command" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_needs_command" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_needs_command" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_needs_command" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_needs_command" -f -a "install" -d 'Install the modules and providers of a root module, single providers, or a single module'
complete -c provender -n "__fish_provender_needs_command" -f -a "mirror" -d 'Fill or update a mirror of provider packages'
complete -c provender -n "__fish_provender_needs_command" -f -a "lock" -d 'Write the hashes of providers, for all platforms, and of modules into lock files'
complete -c provender -n "__fish_provender_needs_command" -f -a "outdated" -d 'List providers and modules, and which of them are not at the newest version'
complete -c provender -n "__fish_provender_needs_command" -f -a "verify" -d 'Prove that lock files, installed packages, mirrors and registries fit each other'
complete -c provender -n "__fish_provender_needs_command" -f -a "versions" -d 'List the versions that the registry offers'
complete -c provender -n "__fish_provender_needs_command" -f -a "explain" -d 'Tell which source would serve a provider, and why'
complete -c provender -n "__fish_provender_needs_command" -f -a "cache" -d 'Look at the package cache, check it, delete from it'
complete -c provender -n "__fish_provender_needs_command" -f -a "login" -d 'Log in to a host and keep the token where `terraform` and `tofu` find it'
complete -c provender -n "__fish_provender_needs_command" -f -a "logout" -d 'Forget the token of a host'
complete -c provender -n "__fish_provender_needs_command" -f -a "auth" -d 'Look at credentials, print a token for scripts, install the credentials helper'
complete -c provender -n "__fish_provender_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c provender -n "__fish_provender_using_subcommand install" -l dir -d 'Target directory (with addresses) [default for providers: the implied local mirror directory]' -r -F
complete -c provender -n "__fish_provender_using_subcommand install" -l platform -d 'Platform such as `linux_amd64`; repeatable with addresses [default: this machine\'s]' -r
complete -c provender -n "__fish_provender_using_subcommand install" -l expired-keys -d 'What to make of signatures by expired keys [default: what the tool does]' -r -f -a "accept\t'Take them as any other'
warn\t'Take them with a warning'
reject\t'Refuse them'"
complete -c provender -n "__fish_provender_using_subcommand install" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand install" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand install" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand install" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand install" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand install" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand install" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand install" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand install" -l upgrade -d 'Newest versions the constraints allow, instead of the locked ones'
complete -c provender -n "__fish_provender_using_subcommand install" -l locked -d 'Fail (exit 11) if an address or version would change, or no locked hash fits'
complete -c provender -n "__fish_provender_using_subcommand install" -l recursive -d 'Every root module in `--chdir` and below; each package is fetched once'
complete -c provender -n "__fish_provender_using_subcommand install" -l providers-only -d 'Providers only: modules are not fetched, those that are installed count'
complete -c provender -n "__fish_provender_using_subcommand install" -l modules-only -d 'Modules only: providers and the lock file are left alone'
complete -c provender -n "__fish_provender_using_subcommand install" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand install" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand install" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand install" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand install" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand install" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand install" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand install" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand mirror" -l to -d 'The mirror\'s directory; made if it does not exist' -r -F
complete -c provender -n "__fish_provender_using_subcommand mirror" -l root -d 'Take the requirements of the root module in DIR, versions from its lock file; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand mirror" -l lock -d 'Take the exact selections of a lock file; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand mirror" -l platform -d 'Platform such as `linux_amd64`, or `all` that the registry lists; repeatable [default: this machine\'s]' -r
complete -c provender -n "__fish_provender_using_subcommand mirror" -l latest -d 'The N newest matching versions of each address [default: 1]' -r
complete -c provender -n "__fish_provender_using_subcommand mirror" -l from -d 'Take packages from another mirror, a directory or a network mirror, instead of their registries' -r
complete -c provender -n "__fish_provender_using_subcommand mirror" -l missing-platform -d 'What to do when a version lacks a wanted platform' -r -f -a "error\t'Mirror the rest and exit with 12'
skip\t'Leave it out and say so'"
complete -c provender -n "__fish_provender_using_subcommand mirror" -l expired-keys -d 'What to make of signatures by expired keys [default: what the tool does]' -r -f -a "accept\t'Take them as any other'
warn\t'Take them with a warning'
reject\t'Refuse them'"
complete -c provender -n "__fish_provender_using_subcommand mirror" -l served-at -d 'Where the mirror will be served, for the settings in `client`; kept for later runs' -r
complete -c provender -n "__fish_provender_using_subcommand mirror" -l served-ca -d 'The file, there, of the certificates that its server\'s is signed by, if the system does not trust it' -r
complete -c provender -n "__fish_provender_using_subcommand mirror" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand mirror" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand mirror" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand mirror" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand mirror" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand mirror" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand mirror" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand mirror" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand mirror" -l all-versions -d 'Every matching version'
complete -c provender -n "__fish_provender_using_subcommand mirror" -l include-prereleases -d 'Let ranges match prereleases'
complete -c provender -n "__fish_provender_using_subcommand mirror" -l require-signature -d 'Refuse packages that only carry checksums'
complete -c provender -n "__fish_provender_using_subcommand mirror" -l accept-new-keys -d 'Take packages that are signed by another key than the mirror knows for the provider'
complete -c provender -n "__fish_provender_using_subcommand mirror" -l check -d 'Prove the bytes of what is already there, too'
complete -c provender -n "__fish_provender_using_subcommand mirror" -l no-dependencies -d 'Leave out the modules and providers that mirrored modules require'
complete -c provender -n "__fish_provender_using_subcommand mirror" -l dry-run -d 'Print the plan and change nothing'
complete -c provender -n "__fish_provender_using_subcommand mirror" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand mirror" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand mirror" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand mirror" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand mirror" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand mirror" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand mirror" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand mirror" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand lock" -l platform -d 'Platform such as `linux_amd64`; repeatable [default: this machine\'s]' -r
complete -c provender -n "__fish_provender_using_subcommand lock" -l from -d 'Take packages of providers from a mirror, a directory or a network mirror, instead of their registries' -r
complete -c provender -n "__fish_provender_using_subcommand lock" -l expired-keys -d 'What to make of signatures by expired keys [default: what the tool does]' -r -f -a "accept\t'Take them as any other'
warn\t'Take them with a warning'
reject\t'Refuse them'"
complete -c provender -n "__fish_provender_using_subcommand lock" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand lock" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand lock" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand lock" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand lock" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand lock" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand lock" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand lock" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand lock" -l upgrade -d 'Newest versions the constraints allow, instead of the locked ones'
complete -c provender -n "__fish_provender_using_subcommand lock" -l check -d 'Write nothing, and exit with 11 if a lock file would change'
complete -c provender -n "__fish_provender_using_subcommand lock" -l recursive -d 'Every root module in `--chdir` and below; each package is fetched once'
complete -c provender -n "__fish_provender_using_subcommand lock" -l providers-only -d 'Providers only: modules are neither fetched nor locked, those that are installed count'
complete -c provender -n "__fish_provender_using_subcommand lock" -l modules-only -d 'Modules only: the providers\' lock file is left alone'
complete -c provender -n "__fish_provender_using_subcommand lock" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand lock" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand lock" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand lock" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand lock" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand lock" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand lock" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand lock" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand outdated" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand outdated" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand outdated" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand outdated" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand outdated" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand outdated" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand outdated" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand outdated" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand outdated" -l check -d 'Exit with 11 if a provider or module is not locked at the newest version that is allowed'
complete -c provender -n "__fish_provender_using_subcommand outdated" -l recursive -d 'Every root module in `--chdir` and below'
complete -c provender -n "__fish_provender_using_subcommand outdated" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand outdated" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand outdated" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand outdated" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand outdated" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand outdated" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand outdated" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand outdated" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand verify" -l lock -d 'Compare this lock file with a mirror (`--mirror`) or with what is published (`--registry`); repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand verify" -l mirror -d 'The mirror: a directory, or the https URL of a network mirror' -r
complete -c provender -n "__fish_provender_using_subcommand verify" -l platform -d 'Platform such as `linux_amd64`; repeatable [default: this machine\'s]' -r
complete -c provender -n "__fish_provender_using_subcommand verify" -l expired-keys -d 'What to make of signatures by expired keys [default: what the tool does]' -r -f -a "accept\t'Take them as any other'
warn\t'Take them with a warning'
reject\t'Refuse them'"
complete -c provender -n "__fish_provender_using_subcommand verify" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand verify" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand verify" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand verify" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand verify" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand verify" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand verify" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand verify" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand verify" -l registry -d 'Compare the lock file with what its registries publish today, from metadata alone'
complete -c provender -n "__fish_provender_using_subcommand verify" -l recursive -d 'Every lock file in `--chdir` and below'
complete -c provender -n "__fish_provender_using_subcommand verify" -l quick -d 'Do not recompute the `h1` hashes of a mirror\'s packages'
complete -c provender -n "__fish_provender_using_subcommand verify" -l require-signature -d 'Packages of a mirror without a proved signature are a problem'
complete -c provender -n "__fish_provender_using_subcommand verify" -l fix -d 'Mend what a fetch or another index mends, then verify again; a lock file is never changed'
complete -c provender -n "__fish_provender_using_subcommand verify" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand verify" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand verify" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand verify" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand verify" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand verify" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand verify" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand versions" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand versions" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand versions" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand versions" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand versions" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand versions" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand versions" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand versions" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand versions" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand versions" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand versions" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand versions" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand versions" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand versions" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand versions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand versions" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand explain" -l platform -d 'Platform such as `linux_amd64` [default: this machine\'s]' -r
complete -c provender -n "__fish_provender_using_subcommand explain" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand explain" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand explain" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand explain" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand explain" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand explain" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand explain" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand explain" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand explain" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand explain" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand explain" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand explain" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand explain" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand explain" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand explain" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -f -a "info" -d 'List what the package cache holds, where it is and how large'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -f -a "verify" -d 'Compare all bytes of the package cache with what is recorded'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -f -a "gc" -d 'Delete packages from the cache'
complete -c provender -n "__fish_provender_using_subcommand cache; and not __fish_seen_subcommand_from info verify gc help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from info" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from verify" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l max-size -d 'Delete the least recently used until archives and files take at most SIZE, such as `5GiB`' -r
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l unused-for -d 'Delete what was not used for DAYS days' -r
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l dry-run -d 'Tell what would be deleted and change nothing'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from gc" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from help" -f -a "info" -d 'List what the package cache holds, where it is and how large'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Compare all bytes of the package cache with what is recorded'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from help" -f -a "gc" -d 'Delete packages from the cache'
complete -c provender -n "__fish_provender_using_subcommand cache; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c provender -n "__fish_provender_using_subcommand login" -l timeout -d 'How long to wait for the browser [default: 300]' -r
complete -c provender -n "__fish_provender_using_subcommand login" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand login" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand login" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand login" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand login" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand login" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand login" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand login" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand login" -l no-browser -d 'Print the address only and start no browser'
complete -c provender -n "__fish_provender_using_subcommand login" -l token-stdin -d 'Read a token from the first line of standard input'
complete -c provender -n "__fish_provender_using_subcommand login" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand login" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand login" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand login" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand login" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand login" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand login" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand login" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand logout" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand logout" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand logout" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand logout" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand logout" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand logout" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand logout" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand logout" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand logout" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand logout" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand logout" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand logout" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand logout" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand logout" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand logout" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand logout" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -f -a "status" -d 'List for each host which source of credentials wins, never the token'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -f -a "token" -d 'Print the token for a host, for scripts'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -f -a "install-helper" -d 'Make this program the credentials helper of the tools'
complete -c provender -n "__fish_provender_using_subcommand auth; and not __fish_seen_subcommand_from status token install-helper help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from status" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from token" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -s C -l chdir -d 'Act as if started in DIR (the root module)' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -l tool -d 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)' -r -f -a "terraform\t'Terraform'
tofu\t'OpenTofu'"
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -s j -l jobs -d 'Packages in flight at once [default: 8]' -r
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -l cache-dir -d 'Directory of the package cache [default: `provender` in the user\'s cache directory] (or `PROVENDER_CACHE_DIR`)' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -l ca-file -d 'Trust these CA certificates as well as the system\'s; repeatable' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -l client-cert -d 'Show this certificate to servers that ask for one; needs `--client-key`' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -l client-key -d 'The private key of `--client-cert`, not encrypted' -r -F
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -l color -d 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)' -r -f -a "auto\t'If the stream is a terminal and nothing speaks against it'
always\t'Always'
never\t'Never'"
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -l offline -d 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -l no-cache -d 'Neither read nor fill the package cache'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -s q -l quiet -d 'Results and errors only'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -s v -l verbose -d 'Decisions and requests; twice: headers, never secrets'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -l json -d 'The result as one JSON document on stdout'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -l no-progress -d 'No progress bars, even on a terminal'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from install-helper" -s V -l version -d 'Print version'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from help" -f -a "status" -d 'List for each host which source of credentials wins, never the token'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from help" -f -a "token" -d 'Print the token for a host, for scripts'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from help" -f -a "install-helper" -d 'Make this program the credentials helper of the tools'
complete -c provender -n "__fish_provender_using_subcommand auth; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "install" -d 'Install the modules and providers of a root module, single providers, or a single module'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "mirror" -d 'Fill or update a mirror of provider packages'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "lock" -d 'Write the hashes of providers, for all platforms, and of modules into lock files'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "outdated" -d 'List providers and modules, and which of them are not at the newest version'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "verify" -d 'Prove that lock files, installed packages, mirrors and registries fit each other'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "versions" -d 'List the versions that the registry offers'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "explain" -d 'Tell which source would serve a provider, and why'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "cache" -d 'Look at the package cache, check it, delete from it'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "login" -d 'Log in to a host and keep the token where `terraform` and `tofu` find it'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "logout" -d 'Forget the token of a host'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "auth" -d 'Look at credentials, print a token for scripts, install the credentials helper'
complete -c provender -n "__fish_provender_using_subcommand help; and not __fish_seen_subcommand_from install mirror lock outdated verify versions explain cache login logout auth help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c provender -n "__fish_provender_using_subcommand help; and __fish_seen_subcommand_from cache" -f -a "info" -d 'List what the package cache holds, where it is and how large'
complete -c provender -n "__fish_provender_using_subcommand help; and __fish_seen_subcommand_from cache" -f -a "verify" -d 'Compare all bytes of the package cache with what is recorded'
complete -c provender -n "__fish_provender_using_subcommand help; and __fish_seen_subcommand_from cache" -f -a "gc" -d 'Delete packages from the cache'
complete -c provender -n "__fish_provender_using_subcommand help; and __fish_seen_subcommand_from auth" -f -a "status" -d 'List for each host which source of credentials wins, never the token'
complete -c provender -n "__fish_provender_using_subcommand help; and __fish_seen_subcommand_from auth" -f -a "token" -d 'Print the token for a host, for scripts'
complete -c provender -n "__fish_provender_using_subcommand help; and __fish_seen_subcommand_from auth" -f -a "install-helper" -d 'Make this program the credentials helper of the tools'
