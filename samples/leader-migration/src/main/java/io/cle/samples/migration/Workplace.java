package io.cle.samples.migration;

import java.util.concurrent.CountDownLatch;

/** Where jobs are done: one replica, which signs on at the board for each job that it does, and off when it has stopped. */
record Workplace(String replica, Board board) {

    /** Does a job until it is interrupted. */
    void doJob(String job) {
        board.signOn(job, replica);
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException revoked) {
            Thread.currentThread().interrupt();
        } finally {
            board.signOff(job, replica);
        }
    }
}
