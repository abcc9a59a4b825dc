package io.cle.samples.migration;

import io.cle.spring.onleader.OnLeader;

/**
 * The work of the two services, without any code for the migration: a job has a name, and the configuration decides
 * where it runs. All jobs run until they are interrupted, when this process no longer leads their lease.
 */
final class Jobs {

    private Jobs() {}

    /** A job of the shop that doesn't move. */
    static class StockReport {
        private final Workplace workplace;

        StockReport(Workplace workplace) {
            this.workplace = workplace;
        }

        @OnLeader(controller = "stock-report")
        void run() {
            workplace.doJob("stock-report");
        }
    }

    /** A job that moves. */
    static class Invoices {
        private final Workplace workplace;

        Invoices(Workplace workplace) {
            this.workplace = workplace;
        }

        @OnLeader(controller = "invoices")
        void run() {
            workplace.doJob("invoices");
        }
    }

    /** A job that moves. */
    static class Reminders {
        private final Workplace workplace;

        Reminders(Workplace workplace) {
            this.workplace = workplace;
        }

        @OnLeader(controller = "reminders")
        void run() {
            workplace.doJob("reminders");
        }
    }

    /** A job that moves. */
    static class ExchangeRates {
        private final Workplace workplace;

        ExchangeRates(Workplace workplace) {
            this.workplace = workplace;
        }

        @OnLeader(controller = "exchange-rates")
        void run() {
            workplace.doJob("exchange-rates");
        }
    }
}
