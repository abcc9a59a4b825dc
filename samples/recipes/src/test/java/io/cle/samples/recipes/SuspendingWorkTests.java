package io.cle.samples.recipes;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

import static org.assertj.core.api.Assertions.assertThat;

class SuspendingWorkTests {

    @Test
    void suspendFunctionsRunOnTheLeaderAndAreCancelledBeforeTheLeaseIsReleased() throws InterruptedException {
        try (ConfigurableApplicationContext context = Standalone.run(Work.class)) {
            BlockingQueue<String> journal =
                    context.getBean(SuspendingWork.class).journal();
            assertThat(List.of(next(journal), next(journal))).containsExactlyInAnyOrder("works, valid: true", "ticks");

            Standalone.resign(context);

            assertThat(List.copyOf(journal)).containsExactlyInAnyOrder("work is cancelled", "tick is cancelled");
        }
    }

    private static String next(BlockingQueue<String> journal) throws InterruptedException {
        return journal.poll(10, TimeUnit.SECONDS);
    }

    @EnableScheduling
    @Configuration(proxyBeanMethods = false)
    static class Work {

        @Bean
        SuspendingWork suspendingWork() {
            return new SuspendingWork();
        }
    }
}
