package io.cle.samples.migration;

import java.util.List;

/**
 * A release of a service, and how it is deployed.
 *
 * @param service the service, which is also its component in the migration
 * @param version its version
 * @param migrates whether it takes part in the migration
 * @param jobs its jobs
 */
record Release(String service, String version, boolean migrates, List<Class<?>> jobs) {

    private static final List<Class<?>> STAYING = List.of(Jobs.StockReport.class);
    private static final List<Class<?>> MOVING =
            List.of(Jobs.Invoices.class, Jobs.Reminders.class, Jobs.ExchangeRates.class);
    private static final List<Class<?>> ALL =
            List.of(Jobs.StockReport.class, Jobs.Invoices.class, Jobs.Reminders.class, Jobs.ExchangeRates.class);

    /** The original shop, with all jobs. */
    static final Release SHOP_21 = new Release("shop", "1.21", false, ALL);

    /** The same program, configured for the migration. */
    static final Release SHOP_21_MIGRATING = new Release("shop", "1.21", true, ALL);

    /** The shop without the jobs that have moved. */
    static final Release SHOP_22 = new Release("shop", "1.22", false, STAYING);

    /** The new service during the migration. */
    static final Release BILLING_22_MIGRATING = new Release("billing", "1.22", true, MOVING);

    /** The new service after the migration. */
    static final Release BILLING_22 = new Release("billing", "1.22", false, MOVING);

    @Override
    public String toString() {
        return service + " " + version + (migrates ? ", migrating" : "");
    }
}
