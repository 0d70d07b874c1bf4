# Sourced by `test` and `county`: a PostgreSQL server of their own, which can be reached only by a socket in its folder.
# PostgreSQL refuses to run as root, so if this runs as root, the server runs as the user postgres.
# shellcheck shell=bash

server=
as_server() {
    if ((EUID == 0)); then runuser --user postgres -- "$@"; else "$@"; fi
}
# Runs one of the server's programs on its data.
server_command() {
    local program programs=(/usr/lib/postgresql/*/bin/"$1")
    program=${programs[-1]}
    shift
    (cd "$server" && as_server "$program" --pgdata "$server/data" "$@")
}
# Starts the server on a folder, which is made if it is missing.
#   start_server FOLDER OPTION…
start_server() {
    server=$1
    shift
    mkdir -p "$server"
    ((EUID != 0)) || chown postgres "$server"
    {
        { [[ -d $server/data ]] ||
            server_command initdb --encoding UTF8 --locale C --auth trust --username village --no-sync; } &&
            server_command pg_ctl --log "$server/server.log" --wait start \
                --options "-k '$server' -c listen_addresses='' -c max_connections=400 $*"
    } >"$server/log" 2>&1 || {
        cat "$server"/*log
        return 1
    }
}
#   stop_server fast|immediate
stop_server() {
    [[ -n $server ]] || return 0
    server_command pg_ctl --mode "$1" --wait stop >/dev/null 2>&1 || true
}
