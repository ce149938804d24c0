#!/bin/bash
# nginx.sh start DIR PORT SLOW_PORT: serves DIR/www over TLS with DIR's certificate on loopback; on SLOW_PORT
# with 5 MiB a second for each answer. nginx.sh stop DIR ends it, by its process id.
set -eu
action=$1 dir=$(realpath "$2")
case $action in
start)
  port=$3 slow=$4 temp=
  for kind in client_body proxy fastcgi uwsgi scgi; do temp+="${kind}_temp_path $dir/temp; "; done
  cat >"$dir/nginx.conf" <<CONF
worker_processes 1; pid $dir/nginx.pid; error_log $dir/error.log;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; default_type application/json; types { application/zip zip; }
  keepalive_requests 100000; $temp
  ssl_certificate $dir/server.pem; ssl_certificate_key $dir/server.key; root $dir/www;
  server { listen 127.0.0.1:$port ssl http2; }
  server { listen 127.0.0.1:$slow ssl http2; limit_rate 5m; }
}
CONF
  nginx -c "$dir/nginx.conf" -p "$dir" -e "$dir/error.log"
  ;;
stop)
  kill "$(cat "$dir/nginx.pid")"
  ;;
esac
