package io.cle.fencing.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIf("io.cle.fencing.jdbc.Postgresql#available")
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "HistoriesOnH2Test runs the same histories; CI=true ./mvnw verify runs it")
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
