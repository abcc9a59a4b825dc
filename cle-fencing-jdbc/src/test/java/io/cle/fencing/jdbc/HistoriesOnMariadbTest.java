package io.cle.fencing.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIfEnvironmentVariable(named = "CLE_MARIADB_URL", matches = ".+")
class HistoriesOnMariadbTest extends HistoriesContract {

    @Override
    protected Database open() {
        return Database.mariadb();
    }

    @Override
    protected HikariDataSource impatient(Database opened) {
        HikariDataSource pool = opened.pool();
        pool.setConnectionInitSql("SET innodb_lock_wait_timeout = 0");
        return pool;
    }
}
