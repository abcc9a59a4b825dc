package io.cle.samples.recipes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quartz.JobBuilder.newJob;

class LeaderSchedulerTests {

    @Test
    void jobsFireOnTheLeaderOnlyAndAreWaitedFor() throws Exception {
        Printing.begun = new CountDownLatch(1);
        Printing.mayEnd = new CountDownLatch(1);
        try (ConfigurableApplicationContext context = Standalone.run(Quartz.class)) {
            assertThat(Printing.begun.await(10, TimeUnit.SECONDS)).isTrue();

            CompletableFuture<?> released = Standalone.lock(context).resign().toCompletableFuture();

            Scheduler scheduler = context.getBean(Scheduler.class);
            Awaitility.await().until(scheduler::isInStandbyMode);
            assertThat(released).as("while the job runs").isNotDone();
            Printing.mayEnd.countDown();
            assertThat(released).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    /** A job that runs until the test lets it end. */
    public static class Printing implements Job {
        private static volatile CountDownLatch begun;
        private static volatile CountDownLatch mayEnd;

        @Override
        public void execute(JobExecutionContext context) {
            begun.countDown();
            try {
                assertThat(mayEnd.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError("a job is not interrupted", e);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Quartz {

        @Bean
        SchedulerFactoryBean scheduler() {
            Trigger trigger = TriggerBuilder.newTrigger()
                    .forJob("printing")
                    .withSchedule(SimpleScheduleBuilder.repeatSecondlyForever())
                    .build();
            SchedulerFactoryBean scheduler = new SchedulerFactoryBean();
            scheduler.setAutoStartup(false);
            scheduler.setJobDetails(newJob(Printing.class)
                    .withIdentity("printing")
                    .storeDurably()
                    .build());
            scheduler.setTriggers(trigger);
            return scheduler;
        }

        @Bean
        LeaderScheduler leaderScheduler(Scheduler scheduler) throws SchedulerException {
            return new LeaderScheduler(scheduler);
        }
    }
}
