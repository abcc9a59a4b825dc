package io.cle.fencing.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("io.cle.fencing.jdbc.Postgresql#available")
class HistoriesOnPostgresqlTest extends HistoriesContract {

    @Override
    protected Database open() {
        return Database.postgresql();
    }

    @Override
    protected HikariDataSource impatient(Database opened) {
        HikariDataSource pool = opened.pool();
        pool.setConnectionInitSql("SET lock_timeout = '1ms'");
        return pool;
    }
}
