package io.cle.spring;

import java.time.Duration;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.CoordinatedLeaseLock;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.ServerResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Spring stops the lifecycle of a context before a checkpoint of its process, and starts it after a restore. These
 * tests do the same, without the checkpoint ({@code safety.md#own-record}).
 */
class CheckpointTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ApiServerRequest LEASE =
            ApiServerRequest.get("/apis/coordination.k8s.io/v1/namespaces/default/leases/orders");

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final ConfigurableApplicationContext context = run();

    private ConfigurableApplicationContext run() {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        return application.run(
                "--spring.application.name=orders",
                "--spring.main.banner-mode=off",
                "--cle.kubernetes.base-url=" + server.url(),
                "--cle.namespace=default",
                "--cle.resource-lock=leases",
                "--cle.identity=a");
    }

    @AfterEach
    void end() {
        context.close();
        server.close();
    }

    @Test
    void aCheckpointReleasesTheLeaseAndARestoreDrawsAnotherNonce() throws InterruptedException {
        CoordinatedLeaseLock lock = context.getBean(CoordinatedLeaseLock.class);
        assertThat(lock.awaitLeadership(PATIENCE)).isTrue();
        String before = nonce();

        context.stop();
        assertThat(lock.isLeader()).isFalse();
        assertThat(lease().getAsJsonObject("spec").get("holderIdentity").getAsString())
                .isEmpty();

        context.start();
        assertThat(lock.awaitLeadership(PATIENCE)).isTrue();
        assertThat(nonce()).isNotEmpty().isNotEqualTo(before);
    }

    /** Returns the part of the term annotation that distinguishes the process from its clones. */
    private String nonce() {
        String term = lease().getAsJsonObject("metadata")
                .getAsJsonObject("annotations")
                .get("coordination.cle.io/term")
                .getAsString();
        String id = JsonParser.parseString(term).getAsJsonObject().get("term").getAsString();
        return id.substring(0, id.indexOf('.'));
    }

    private JsonObject lease() {
        return ((ServerResponse.Answer) server.handle(LEASE)).object();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
