package io.cle.samples.recipes;

import java.util.UUID;

import io.cle.Term;
import io.cle.fencing.jdbc.LeaderFence;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpMethod;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.test.web.client.MockRestServiceServer;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.header;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withSuccess;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

class FencedRequestsTests {

    private final DriverManagerDataSource dataSource =
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final Invoices invoices = new Invoices();
    private final MockMvc receiver = MockMvcBuilders.standaloneSetup(invoices)
            .addFilters(new FencingFilter())
            .build();

    @RestController
    final class Invoices {

        private final DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
        private Runnable meanwhile = () -> {};

        Invoices() {
            manager.addListener(new LeaderFence(dataSource, true));
        }

        @PostMapping("/invoices")
        void write() {
            new TransactionTemplate(manager).executeWithoutResult(status -> {
                jdbc.update("INSERT INTO invoices VALUES (1)");
                meanwhile.run();
            });
        }
    }

    @BeforeEach
    void createTables() {
        new ResourceDatabasePopulator(new ClassPathResource("io/cle/fencing/jdbc/schema-h2.sql")).execute(dataSource);
        jdbc.execute("CREATE TABLE invoices (number INT)");
    }

    private ResultActions send(long token) throws Exception {
        return receiver.perform(post("/invoices").header(FencedRequests.HEADER, "shop/orders " + token));
    }

    private Integer invoices() {
        return jdbc.queryForObject("SELECT count(*) FROM invoices", Integer.class);
    }

    @Test
    void requestOfAFormerLeader_isRefused() throws Exception {
        send(1).andExpect(status().isOk());
        send(2).andExpect(status().isOk());

        send(1).andExpect(status().isConflict());

        assertThat(invoices()).isEqualTo(2);
    }

    @Test
    void requestThatIsOvertakenWhileItIsServed_isRefused() throws Exception {
        invoices.meanwhile = () -> {
            invoices.meanwhile = () -> {};
            Thread later = new Thread(() -> {
                try {
                    send(2).andExpect(status().isOk());
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            later.start();
            try {
                later.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };

        send(1).andExpect(status().isConflict());

        assertThat(invoices()).isEqualTo(1);
    }

    @Test
    void requestWithoutAToken_isNotServed() throws Exception {
        receiver.perform(post("/invoices")).andExpect(status().isBadRequest());
        receiver.perform(post("/invoices").header(FencedRequests.HEADER, "shop/orders"))
                .andExpect(status().isBadRequest());

        assertThat(invoices()).isZero();
    }

    @Test
    void requestOfLedWork_hasTheToken() {
        try (ConfigurableApplicationContext context = Standalone.run()) {
            Term term = Standalone.lock(context).term().orElseThrow();
            RestClient.Builder client = RestClient.builder().requestInterceptor(FencedRequests.fencedRequests());
            MockRestServiceServer server = MockRestServiceServer.bindTo(client).build();
            server.expect(header(FencedRequests.HEADER, term.lease() + " " + term.fencingToken()))
                    .andRespond(withSuccess());
            Term outer = Term.enter(term);
            try {
                client.build()
                        .method(HttpMethod.POST)
                        .uri("/invoices")
                        .retrieve()
                        .toBodilessEntity();
            } finally {
                Term.enter(outer);
            }
            server.verify();
        }
    }
}
