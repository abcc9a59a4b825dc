package io.cle.fencing.jdbc;

class LeaderFenceOnH2Test extends LeaderFenceContract {

    @Override
    protected Database open() {
        return Database.h2();
    }
}
