package io.cle.samples.recipes;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.cle.spring.onleader.OnLeader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class EventRepublicationTests {

    @Test
    void theLeaderCallsAListenerAgainThatHasFailed() throws InterruptedException {
        try (ConfigurableApplicationContext context = Standalone.run("recipes.republication.delay=20", Shop.class)) {
            BlockingQueue<String> calls = context.getBean(Journal.class).calls();
            publish(context, new OrderPlaced("4711"));
            assertThat(calls.poll(20, TimeUnit.SECONDS)).isEqualTo("fails on 4711");

            age(context);

            assertThat(calls.poll(20, TimeUnit.SECONDS)).isEqualTo("invoices 4711");
            Awaitility.await().until(() -> incomplete(context) == 0);
        }
    }

    @Test
    void aReplicaThatDoesNotLeadCallsNone() throws InterruptedException {
        try (ConfigurableApplicationContext context = Standalone.run(Shop.class)) {
            BlockingQueue<String> calls = context.getBean(Journal.class).calls();
            publish(context, new OrderPlaced("4711"));
            assertThat(calls.poll(20, TimeUnit.SECONDS)).isEqualTo("fails on 4711");
            Standalone.resign(context);
            age(context);

            context.getBean(EventRepublication.class).republish();

            assertThat(calls).isEmpty();
            assertThat(incomplete(context)).isOne();
        }
    }

    @Test
    void aListenerOfTheLeaderLeavesWhatIsPublishedElsewhereIncomplete() {
        try (ConfigurableApplicationContext context = Standalone.run(Shop.class)) {
            BlockingQueue<String> calls = context.getBean(Journal.class).calls();
            publish(context, new OrderPaid("4711"));
            assertThat(calls.poll()).isEqualTo("ships 4711");
            assertThat(incomplete(context)).isZero();
            Standalone.resign(context);

            publish(context, new OrderPaid("4712"));

            assertThat(calls).isEmpty();
            assertThat(incomplete(context)).isOne();
        }
    }

    private static void publish(ConfigurableApplicationContext context, Object event) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(transaction -> context.publishEvent(event));
    }

    /** Makes the failed publication an hour old. */
    private static void age(ConfigurableApplicationContext context) {
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        Awaitility.await()
                .until(() -> jdbc.update("update event_publication"
                                + " set publication_date = dateadd(hour, -1, publication_date) where status = 'FAILED'")
                        == 1);
    }

    private static int incomplete(ConfigurableApplicationContext context) {
        Integer count = context.getBean(JdbcTemplate.class)
                .queryForObject("select count(*) from event_publication where completion_date is null", Integer.class);
        return count == null ? 0 : count;
    }

    record OrderPlaced(String number) {}

    record OrderPaid(String number) {}

    record Journal(BlockingQueue<String> calls) {}

    /** Fails on its first call. */
    static class Invoicing {

        private final Journal journal;
        private volatile boolean mended;

        Invoicing(Journal journal) {
            this.journal = journal;
        }

        @ApplicationModuleListener
        void on(OrderPlaced order) {
            journal.calls().add((mended ? "invoices " : "fails on ") + order.number());
            if (!mended) {
                mended = true;
                throw new IllegalStateException("this invoice fails once");
            }
        }
    }

    /** Is called on the publisher's thread. */
    static class Shipping {

        private final Journal journal;

        Shipping(Journal journal) {
            this.journal = journal;
        }

        @OnLeader
        @TransactionalEventListener
        void on(OrderPaid order) {
            journal.calls().add("ships " + order.number());
        }
    }

    @EnableScheduling
    @EnableTransactionManagement
    @Configuration(proxyBeanMethods = false)
    static class Shop {

        @Bean(destroyMethod = "shutdown")
        DataSource dataSource() {
            return new EmbeddedDatabaseBuilder()
                    .generateUniqueName(true)
                    .setType(EmbeddedDatabaseType.H2)
                    .addScript("classpath:org/springframework/modulith/events/jdbc/schemas/v2/schema-h2.sql")
                    .build();
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        Journal journal() {
            return new Journal(new LinkedBlockingQueue<>());
        }

        @Bean
        Invoicing invoicing(Journal journal) {
            return new Invoicing(journal);
        }

        @Bean
        Shipping shipping(Journal journal) {
            return new Shipping(journal);
        }

        @Bean
        EventRepublication eventRepublication(IncompleteEventPublications publications) {
            return new EventRepublication(publications);
        }
    }
}
