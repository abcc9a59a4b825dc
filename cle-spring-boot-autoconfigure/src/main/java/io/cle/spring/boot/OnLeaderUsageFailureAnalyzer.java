package io.cle.spring.boot;

import io.cle.spring.onleader.OnLeaderUsageException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells where an annotation stands that can't do what it promises. */
class OnLeaderUsageFailureAnalyzer extends AbstractFailureAnalyzer<OnLeaderUsageException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, OnLeaderUsageException cause) {
        return new FailureAnalysis(cause.getMessage() + ".", cause.action(), cause);
    }
}
