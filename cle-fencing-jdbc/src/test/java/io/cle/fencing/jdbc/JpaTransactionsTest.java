package io.cle.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaDialect;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Transactions of Hibernate, which by default flushes only after Spring's {@code beforeCommit} listeners. */
class JpaTransactionsTest {

    @Entity
    @Table(name = "written")
    static class Written {

        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        Long id;

        long term;

        Written() {}

        Written(long term) {
            this.term = term;
        }
    }

    private final Database database = Database.h2();
    private final List<String> statements = new ArrayList<>();
    private EntityManagerFactory factory;

    @AfterEach
    void close() {
        factory.close();
        database.close();
    }

    private JpaTransactionManager manager(HibernateJpaDialect dialect) {
        // An identity column would make Hibernate insert at once.
        database.jdbc().execute("CREATE SEQUENCE written_SEQ START WITH 1000 INCREMENT BY 50");
        DataSource dataSource = database.with(statement -> {
            statements.add(statement);
            return statement;
        });
        LocalContainerEntityManagerFactoryBean bean = new LocalContainerEntityManagerFactoryBean();
        bean.setDataSource(dataSource);
        bean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        bean.setJpaDialect(dialect);
        bean.setPackagesToScan(getClass().getPackageName());
        bean.setJpaPropertyMap(Map.of("hibernate.boot.allow_jdbc_metadata_access", "true"));
        bean.afterPropertiesSet();
        factory = bean.getObject();
        JpaTransactionManager manager = new JpaTransactionManager(factory);
        manager.setJpaDialect(dialect);
        manager.afterPropertiesSet();
        new LeaderFences(true).postProcessAfterInitialization(manager, "transactionManager");
        return manager;
    }

    private void persist(long token, JpaTransactionManager manager, Runnable more) {
        Leader.unfenced(token, database.dataSource())
                .leads(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
                    EntityManager entities = EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
                    entities.persist(new Written(token));
                    more.run();
                }));
    }

    @Test
    void check_followsTheFlush() {
        JpaTransactionManager manager = manager(new HibernateJpaDialect());
        persist(1, manager, () -> {});
        statements.clear();

        persist(1, manager, () -> {});

        assertThat(statements)
                .containsExactly(
                        "insert into written (term,id) values (?,?)",
                        "SELECT token FROM leader_fence WHERE lease = ? FOR UPDATE",
                        "COMMIT");
    }

    @Test
    void entityOfAFormerLeader_isRolledBack() {
        JpaTransactionManager manager = manager(new HibernateJpaDialect());
        Leader later = Leader.of(2, database.dataSource());

        assertThatThrownBy(() -> persist(1, manager, later::writesMeanwhile)).isInstanceOf(StaleTermException.class);

        assertThat(database.jdbc().queryForList("SELECT term FROM written", Long.class))
                .containsExactly(2L);
    }

    @Test
    void managerThatDoesNotExposeItsConnection_failsTheTransaction() {
        HibernateJpaDialect hiding = new HibernateJpaDialect() {
            private static final long serialVersionUID = 1L;

            @Override
            public org.springframework.jdbc.datasource.ConnectionHandle getJdbcConnection(
                    EntityManager entities, boolean readOnly) {
                return null;
            }
        };
        JpaTransactionManager manager = manager(hiding);

        assertThatThrownBy(() -> persist(1, manager, () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("doesn't expose its JDBC connection");
        assertThat(database.jdbc().queryForList("SELECT term FROM written", Long.class))
                .isEmpty();
    }
}
