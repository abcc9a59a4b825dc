package io.cle.samples.recipes;

import io.cle.Term;
import io.cle.spring.onleader.OnLeader;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Spring Batch: the leader launches a job. With the operator's default executor the job runs on the scheduler's thread,
 * which is interrupted when the term ends: the step in progress ends, and the lease is released after that. The next
 * leader can restart the execution from the job repository. The fencing token identifies the run, and steps send it
 * with their writes.
 */
public class NightlyBatch {

    private final JobOperator operator;
    private final Job job;

    /** Launches a job. */
    public NightlyBatch(JobOperator operator, Job job) {
        this.operator = operator;
        this.job = job;
    }

    /** Runs on the leader only. */
    @OnLeader
    @Scheduled(cron = "${recipes.batch.cron:0 0 3 * * *}")
    public void run() throws Exception {
        Term term = Term.current().orElseThrow();
        operator.start(
                job,
                new JobParametersBuilder()
                        .addLong("fencingToken", term.fencingToken())
                        .toJobParameters());
    }
}
