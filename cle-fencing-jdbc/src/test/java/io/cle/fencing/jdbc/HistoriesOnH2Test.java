package io.cle.fencing.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class HistoriesOnH2Test extends HistoriesContract {

    @Override
    protected Database open() {
        return Database.h2();
    }

    @Override
    protected HikariDataSource impatient(Database opened) {
        HikariDataSource pool = opened.pool();
        pool.setConnectionInitSql("SET LOCK_TIMEOUT 1");
        return pool;
    }
}
