package io.cle.samples.migration;

import io.cle.spring.onleader.OnLeader;

/**
 * The work of the two services. Nothing in it knows of a migration: a job has a name, and where it runs is configuration. All jobs
 * run until they are interrupted, which is when this process no longer leads what they are led by.
 */
final class Jobs {

    private Jobs() {}

    /** Only the shop has it, and it stays there. */
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

    /** Moves. */
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

    /** Moves. */
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

    /** Moves. */
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
