package io.cle.fencing.jdbc;

import java.time.Duration;
import java.util.Map;

import javax.sql.DataSource;

import io.cle.Shard;
import io.cle.Term;
import io.cle.spring.onleader.OnLeader;
import io.cle.spring.test.AutoConfigureLeadership;
import io.cle.spring.test.Leadership;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A Spring Boot application that adds only the dependency and the table. */
@SpringBootTest(
        properties = {
            "spring.application.name=reports",
            "cle.namespace=shop",
            "cle.leases.orders.shards=4",
            "spring.sql.init.schema-locations=classpath:io/cle/fencing/jdbc/schema-h2.sql"
        })
@AutoConfigureLeadership
class CleFencingJdbcAutoConfigurationTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Guarded.class, Sharded.class})
    static class Application {

        /** Replaces Boot's, which backs off because there is another manager. */
        @Bean
        DataSourceTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean(defaultCandidate = false)
        WithoutDatabase brokers() {
            return new WithoutDatabase();
        }
    }

    static class Guarded {

        record Requested() {}

        @OnLeader
        @EventListener(Requested.class)
        @Transactional
        public void write() {}
    }

    static class Sharded {

        private final TransactionTemplate transactions;

        Sharded(PlatformTransactionManager manager) {
            transactions = new TransactionTemplate(manager);
        }

        @OnLeader("orders")
        void work(Shard shard) {
            transactions.executeWithoutResult(status -> {});
        }
    }

    /** A manager without a database, such as Kafka's. */
    static final class WithoutDatabase extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @Autowired
    Leadership leadership;

    @Autowired
    JdbcTemplate jdbc;

    @Autowired
    ApplicationEventPublisher events;

    @Autowired
    DataSourceTransactionManager manager;

    @Autowired
    @Qualifier("brokers")
    WithoutDatabase withoutDatabase;

    private Map<String, Object> row(String lease) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(() -> jdbc.queryForMap("SELECT * FROM leader_fence WHERE lease = ?", lease), row -> true);
    }

    @Test
    void transactionOfAGuardedMethod_isFenced() {
        Term term = leadership.grant();

        events.publishEvent(new Guarded.Requested());

        assertThat(row("shop/reports")).containsEntry("TOKEN", term.fencingToken());
        jdbc.update("UPDATE leader_fence SET token = 1000 WHERE lease = 'shop/reports'");
        assertThatThrownBy(() -> events.publishEvent(new Guarded.Requested())).isInstanceOf(StaleTermException.class);
        jdbc.update("UPDATE leader_fence SET token = 0 WHERE lease = 'shop/reports'");
    }

    @Test
    void transactionOfAShard_isFencedByTheLeaseOfTheShard() {
        leadership.grant("orders", 3);

        assertThat(row("shop/orders-4-3")).isNotEmpty();
    }

    @Test
    void managerWithoutADataSource_isLeftAlone() {
        assertThat(withoutDatabase.getTransactionExecutionListeners()).isEmpty();
        assertThat(manager.getTransactionExecutionListeners()).singleElement().isInstanceOf(LeaderFence.class);
    }
}
