
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'provender' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'provender'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'provender' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Install the modules and providers of a root module, single providers, or a single module')
            [CompletionResult]::new('mirror', 'mirror', [CompletionResultType]::ParameterValue, 'Fill or update a mirror of provider packages')
            [CompletionResult]::new('lock', 'lock', [CompletionResultType]::ParameterValue, 'Write the hashes of providers, for all platforms, and of modules into lock files')
            [CompletionResult]::new('outdated', 'outdated', [CompletionResultType]::ParameterValue, 'List providers and modules, and which of them are not at the newest version')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Prove that lock files, installed packages, mirrors and registries fit each other')
            [CompletionResult]::new('versions', 'versions', [CompletionResultType]::ParameterValue, 'List the versions that the registry offers')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Tell which source would serve a provider, and why')
            [CompletionResult]::new('cache', 'cache', [CompletionResultType]::ParameterValue, 'Look at the package cache, check it, delete from it')
            [CompletionResult]::new('login', 'login', [CompletionResultType]::ParameterValue, 'Log in to a host and keep the token where `terraform` and `tofu` find it')
            [CompletionResult]::new('logout', 'logout', [CompletionResultType]::ParameterValue, 'Forget the token of a host')
            [CompletionResult]::new('auth', 'auth', [CompletionResultType]::ParameterValue, 'Look at credentials, print a token for scripts, install the credentials helper')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'provender;install' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'Target directory (with addresses) [default for providers: the implied local mirror directory]')
            [CompletionResult]::new('--platform', '--platform', [CompletionResultType]::ParameterName, 'Platform such as `linux_amd64`; repeatable with addresses [default: this machine''s]')
            [CompletionResult]::new('--expired-keys', '--expired-keys', [CompletionResultType]::ParameterName, 'What to make of signatures by expired keys [default: what the tool does]')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--upgrade', '--upgrade', [CompletionResultType]::ParameterName, 'Newest versions the constraints allow, instead of the locked ones')
            [CompletionResult]::new('--locked', '--locked', [CompletionResultType]::ParameterName, 'Fail (exit 11) if an address or version would change, or no locked hash fits')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Every root module in `--chdir` and below; each package is fetched once')
            [CompletionResult]::new('--providers-only', '--providers-only', [CompletionResultType]::ParameterName, 'Providers only: modules are not fetched, those that are installed count')
            [CompletionResult]::new('--modules-only', '--modules-only', [CompletionResultType]::ParameterName, 'Modules only: providers and the lock file are left alone')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;mirror' {
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'The mirror''s directory; made if it does not exist')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'Take the requirements of the root module in DIR, versions from its lock file; repeatable')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'Take the exact selections of a lock file; repeatable')
            [CompletionResult]::new('--platform', '--platform', [CompletionResultType]::ParameterName, 'Platform such as `linux_amd64`, or `all` that the registry lists; repeatable [default: this machine''s]')
            [CompletionResult]::new('--latest', '--latest', [CompletionResultType]::ParameterName, 'The N newest matching versions of each address [default: 1]')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Take packages from another mirror, a directory or a network mirror, instead of their registries')
            [CompletionResult]::new('--missing-platform', '--missing-platform', [CompletionResultType]::ParameterName, 'What to do when a version lacks a wanted platform')
            [CompletionResult]::new('--expired-keys', '--expired-keys', [CompletionResultType]::ParameterName, 'What to make of signatures by expired keys [default: what the tool does]')
            [CompletionResult]::new('--served-at', '--served-at', [CompletionResultType]::ParameterName, 'Where the mirror will be served, for the settings in `client`; kept for later runs')
            [CompletionResult]::new('--served-ca', '--served-ca', [CompletionResultType]::ParameterName, 'The file, there, of the certificates that its server''s is signed by, if the system does not trust it')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--all-versions', '--all-versions', [CompletionResultType]::ParameterName, 'Every matching version')
            [CompletionResult]::new('--include-prereleases', '--include-prereleases', [CompletionResultType]::ParameterName, 'Let ranges match prereleases')
            [CompletionResult]::new('--require-signature', '--require-signature', [CompletionResultType]::ParameterName, 'Refuse packages that only carry checksums')
            [CompletionResult]::new('--accept-new-keys', '--accept-new-keys', [CompletionResultType]::ParameterName, 'Take packages that are signed by another key than the mirror knows for the provider')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Prove the bytes of what is already there, too')
            [CompletionResult]::new('--no-dependencies', '--no-dependencies', [CompletionResultType]::ParameterName, 'Leave out the modules and providers that mirrored modules require')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Print the plan and change nothing')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;lock' {
            [CompletionResult]::new('--platform', '--platform', [CompletionResultType]::ParameterName, 'Platform such as `linux_amd64`; repeatable [default: this machine''s]')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Take packages of providers from a mirror, a directory or a network mirror, instead of their registries')
            [CompletionResult]::new('--expired-keys', '--expired-keys', [CompletionResultType]::ParameterName, 'What to make of signatures by expired keys [default: what the tool does]')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--upgrade', '--upgrade', [CompletionResultType]::ParameterName, 'Newest versions the constraints allow, instead of the locked ones')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Write nothing, and exit with 11 if a lock file would change')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Every root module in `--chdir` and below; each package is fetched once')
            [CompletionResult]::new('--providers-only', '--providers-only', [CompletionResultType]::ParameterName, 'Providers only: modules are neither fetched nor locked, those that are installed count')
            [CompletionResult]::new('--modules-only', '--modules-only', [CompletionResultType]::ParameterName, 'Modules only: the providers'' lock file is left alone')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;outdated' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Exit with 11 if a provider or module is not locked at the newest version that is allowed')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Every root module in `--chdir` and below')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;verify' {
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'Compare this lock file with a mirror (`--mirror`) or with what is published (`--registry`); repeatable')
            [CompletionResult]::new('--mirror', '--mirror', [CompletionResultType]::ParameterName, 'The mirror: a directory, or the https URL of a network mirror')
            [CompletionResult]::new('--platform', '--platform', [CompletionResultType]::ParameterName, 'Platform such as `linux_amd64`; repeatable [default: this machine''s]')
            [CompletionResult]::new('--expired-keys', '--expired-keys', [CompletionResultType]::ParameterName, 'What to make of signatures by expired keys [default: what the tool does]')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--registry', '--registry', [CompletionResultType]::ParameterName, 'Compare the lock file with what its registries publish today, from metadata alone')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Every lock file in `--chdir` and below')
            [CompletionResult]::new('--quick', '--quick', [CompletionResultType]::ParameterName, 'Do not recompute the `h1` hashes of a mirror''s packages')
            [CompletionResult]::new('--require-signature', '--require-signature', [CompletionResultType]::ParameterName, 'Packages of a mirror without a proved signature are a problem')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Mend what a fetch or another index mends, then verify again; a lock file is never changed')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;versions' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;explain' {
            [CompletionResult]::new('--platform', '--platform', [CompletionResultType]::ParameterName, 'Platform such as `linux_amd64` [default: this machine''s]')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;cache' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('info', 'info', [CompletionResultType]::ParameterValue, 'List what the package cache holds, where it is and how large')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Compare all bytes of the package cache with what is recorded')
            [CompletionResult]::new('gc', 'gc', [CompletionResultType]::ParameterValue, 'Delete packages from the cache')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'provender;cache;info' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;cache;verify' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;cache;gc' {
            [CompletionResult]::new('--max-size', '--max-size', [CompletionResultType]::ParameterName, 'Delete the least recently used until archives and files take at most SIZE, such as `5GiB`')
            [CompletionResult]::new('--unused-for', '--unused-for', [CompletionResultType]::ParameterName, 'Delete what was not used for DAYS days')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Tell what would be deleted and change nothing')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;cache;help' {
            [CompletionResult]::new('info', 'info', [CompletionResultType]::ParameterValue, 'List what the package cache holds, where it is and how large')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Compare all bytes of the package cache with what is recorded')
            [CompletionResult]::new('gc', 'gc', [CompletionResultType]::ParameterValue, 'Delete packages from the cache')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'provender;cache;help;info' {
            break
        }
        'provender;cache;help;verify' {
            break
        }
        'provender;cache;help;gc' {
            break
        }
        'provender;cache;help;help' {
            break
        }
        'provender;login' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for the browser [default: 300]')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--no-browser', '--no-browser', [CompletionResultType]::ParameterName, 'Print the address only and start no browser')
            [CompletionResult]::new('--token-stdin', '--token-stdin', [CompletionResultType]::ParameterName, 'Read a token from the first line of standard input')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;logout' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;auth' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'List for each host which source of credentials wins, never the token')
            [CompletionResult]::new('token', 'token', [CompletionResultType]::ParameterValue, 'Print the token for a host, for scripts')
            [CompletionResult]::new('install-helper', 'install-helper', [CompletionResultType]::ParameterValue, 'Make this program the credentials helper of the tools')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'provender;auth;status' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;auth;token' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;auth;install-helper' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--chdir', '--chdir', [CompletionResultType]::ParameterName, 'Act as if started in DIR (the root module)')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Packages in flight at once [default: 8]')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)')
            [CompletionResult]::new('--ca-file', '--ca-file', [CompletionResultType]::ParameterName, 'Trust these CA certificates as well as the system''s; repeatable')
            [CompletionResult]::new('--client-cert', '--client-cert', [CompletionResultType]::ParameterName, 'Show this certificate to servers that ask for one; needs `--client-key`')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The private key of `--client-cert`, not encrypted')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'No network at all: only lock file, package cache, what is installed, mirrors on disk')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Neither read nor fill the package cache')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Results and errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Decisions and requests; twice: headers, never secrets')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The result as one JSON document on stdout')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars, even on a terminal')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'provender;auth;help' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'List for each host which source of credentials wins, never the token')
            [CompletionResult]::new('token', 'token', [CompletionResultType]::ParameterValue, 'Print the token for a host, for scripts')
            [CompletionResult]::new('install-helper', 'install-helper', [CompletionResultType]::ParameterValue, 'Make this program the credentials helper of the tools')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'provender;auth;help;status' {
            break
        }
        'provender;auth;help;token' {
            break
        }
        'provender;auth;help;install-helper' {
            break
        }
        'provender;auth;help;help' {
            break
        }
        'provender;help' {
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Install the modules and providers of a root module, single providers, or a single module')
            [CompletionResult]::new('mirror', 'mirror', [CompletionResultType]::ParameterValue, 'Fill or update a mirror of provider packages')
            [CompletionResult]::new('lock', 'lock', [CompletionResultType]::ParameterValue, 'Write the hashes of providers, for all platforms, and of modules into lock files')
            [CompletionResult]::new('outdated', 'outdated', [CompletionResultType]::ParameterValue, 'List providers and modules, and which of them are not at the newest version')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Prove that lock files, installed packages, mirrors and registries fit each other')
            [CompletionResult]::new('versions', 'versions', [CompletionResultType]::ParameterValue, 'List the versions that the registry offers')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Tell which source would serve a provider, and why')
            [CompletionResult]::new('cache', 'cache', [CompletionResultType]::ParameterValue, 'Look at the package cache, check it, delete from it')
            [CompletionResult]::new('login', 'login', [CompletionResultType]::ParameterValue, 'Log in to a host and keep the token where `terraform` and `tofu` find it')
            [CompletionResult]::new('logout', 'logout', [CompletionResultType]::ParameterValue, 'Forget the token of a host')
            [CompletionResult]::new('auth', 'auth', [CompletionResultType]::ParameterValue, 'Look at credentials, print a token for scripts, install the credentials helper')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'provender;help;install' {
            break
        }
        'provender;help;mirror' {
            break
        }
        'provender;help;lock' {
            break
        }
        'provender;help;outdated' {
            break
        }
        'provender;help;verify' {
            break
        }
        'provender;help;versions' {
            break
        }
        'provender;help;explain' {
            break
        }
        'provender;help;cache' {
            [CompletionResult]::new('info', 'info', [CompletionResultType]::ParameterValue, 'List what the package cache holds, where it is and how large')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Compare all bytes of the package cache with what is recorded')
            [CompletionResult]::new('gc', 'gc', [CompletionResultType]::ParameterValue, 'Delete packages from the cache')
            break
        }
        'provender;help;cache;info' {
            break
        }
        'provender;help;cache;verify' {
            break
        }
        'provender;help;cache;gc' {
            break
        }
        'provender;help;login' {
            break
        }
        'provender;help;logout' {
            break
        }
        'provender;help;auth' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'List for each host which source of credentials wins, never the token')
            [CompletionResult]::new('token', 'token', [CompletionResultType]::ParameterValue, 'Print the token for a host, for scripts')
            [CompletionResult]::new('install-helper', 'install-helper', [CompletionResultType]::ParameterValue, 'Make this program the credentials helper of the tools')
            break
        }
        'provender;help;auth;status' {
            break
        }
        'provender;help;auth;token' {
            break
        }
        'provender;help;auth;install-helper' {
            break
        }
        'provender;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
