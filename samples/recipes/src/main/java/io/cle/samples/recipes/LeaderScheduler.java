package io.cle.samples.recipes;

import java.util.concurrent.Phaser;

import io.cle.spring.onleader.OnLeader;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.listeners.JobListenerSupport;
import org.springframework.context.SmartLifecycle;

/**
 * Quartz: a scheduler fires on the leader only, with any job store. Jobs that run when the term ends are waited for
 * before the lease is released. Create the scheduler with {@code SchedulerFactoryBean.setAutoStartup(false)}. If
 * running jobs need not be waited for, {@code @OnLeader} on the factory bean's own {@code @Bean} method is enough.
 */
@OnLeader
public class LeaderScheduler implements SmartLifecycle {

    private final Scheduler scheduler;
    private final Phaser runningJobs = new Phaser(1);

    /** Leads a scheduler that isn't started otherwise. */
    public LeaderScheduler(Scheduler scheduler) throws SchedulerException {
        this.scheduler = scheduler;
        scheduler.getListenerManager().addJobListener(new RunningJobs());
    }

    /** Counts the jobs that run. */
    private final class RunningJobs extends JobListenerSupport {

        @Override
        public String getName() {
            return "running jobs of the leader";
        }

        @Override
        public void jobToBeExecuted(JobExecutionContext context) {
            runningJobs.register();
        }

        @Override
        public void jobExecutionVetoed(JobExecutionContext context) {
            runningJobs.arriveAndDeregister();
        }

        @Override
        public void jobWasExecuted(JobExecutionContext context, JobExecutionException failure) {
            runningJobs.arriveAndDeregister();
        }
    }

    @Override
    public void start() {
        try {
            scheduler.start();
        } catch (SchedulerException e) {
            throw new IllegalStateException("the scheduler doesn't start", e);
        }
    }

    @Override
    public void stop() {
        try {
            scheduler.standby();
        } catch (SchedulerException e) {
            throw new IllegalStateException("the scheduler doesn't stop firing", e);
        }
        runningJobs.arriveAndAwaitAdvance();
    }

    @Override
    public boolean isRunning() {
        try {
            return scheduler.isStarted() && !scheduler.isInStandbyMode();
        } catch (SchedulerException e) {
            throw new IllegalStateException("the scheduler is shut down", e);
        }
    }
}
