package io.cle.spring.onleader.internal.bean;

import io.cle.spring.onleader.OnLeader;
import io.cle.spring.onleader.OnLeaderUsageException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains an {@link OnLeader} that is in a place where it can't do what it promises. */
class OnLeaderUsageFailureAnalyzer extends AbstractFailureAnalyzer<OnLeaderUsageException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, OnLeaderUsageException cause) {
        return new FailureAnalysis(cause.getMessage() + ".", cause.action(), cause);
    }
}
