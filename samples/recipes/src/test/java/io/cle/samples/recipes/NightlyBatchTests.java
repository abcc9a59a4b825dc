package io.cle.samples.recipes;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.springframework.batch.core.configuration.annotation.EnableBatchProcessing;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.batch.infrastructure.support.transaction.ResourcelessTransactionManager;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

import static org.assertj.core.api.Assertions.assertThat;

class NightlyBatchTests {

    @Test
    void theLeadersJobStopsWhenItsTermEnds() throws InterruptedException {
        try (ConfigurableApplicationContext context = Standalone.run("recipes.batch.cron=* * * * * *", Batch.class)) {
            Journal journal = context.getBean(Journal.class);
            assertThat(journal.entries().poll(20, TimeUnit.SECONDS)).startsWith("runs with token ");

            Standalone.resign(context);

            assertThat(journal.entries().poll())
                    .as("before the lease is released")
                    .isEqualTo("stopped");
        }
    }

    record Journal(BlockingQueue<String> entries) {}

    @EnableScheduling
    @EnableBatchProcessing
    @Configuration(proxyBeanMethods = false)
    static class Batch {

        @Bean
        Journal journal() {
            return new Journal(new LinkedBlockingQueue<>());
        }

        @Bean
        Job invoices(JobRepository jobs, Journal journal) {
            return new JobBuilder("invoices", jobs)
                    .start(new StepBuilder("print", jobs)
                            .tasklet(
                                    (contribution, chunk) -> {
                                        Object token = chunk.getStepContext()
                                                .getJobParameters()
                                                .get("fencingToken");
                                        journal.entries().add("runs with token " + token);
                                        try {
                                            new CountDownLatch(1).await();
                                        } finally {
                                            journal.entries().add("stopped");
                                        }
                                        return RepeatStatus.FINISHED;
                                    },
                                    new ResourcelessTransactionManager())
                            .build())
                    .build();
        }

        @Bean
        NightlyBatch nightlyBatch(JobOperator operator, Job job) {
            return new NightlyBatch(operator, job);
        }
    }
}
