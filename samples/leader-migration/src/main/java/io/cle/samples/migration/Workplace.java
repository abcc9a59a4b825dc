package io.cle.samples.migration;

import java.util.concurrent.CountDownLatch;

/** A replica that does jobs; it signs on at the board for each, and off when the job has stopped. */
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
