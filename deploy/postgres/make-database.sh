#!/bin/sh
# Runs once, when the server's volume is empty: a role of its own for the daemons, which is no superuser, and its database.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --set=password="$(cat /run/secrets/database_password)" <<'SQL'
CREATE ROLE libravdb LOGIN PASSWORD :'password';
CREATE DATABASE libravdb OWNER libravdb ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE libravdb FROM PUBLIC;
SQL
