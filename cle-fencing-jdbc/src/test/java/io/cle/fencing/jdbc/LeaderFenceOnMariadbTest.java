package io.cle.fencing.jdbc;

import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIfEnvironmentVariable(named = "CLE_MARIADB_URL", matches = ".+")
class LeaderFenceOnMariadbTest extends LeaderFenceContract {

    @Override
    protected Database open() {
        return Database.mariadb();
    }
}
