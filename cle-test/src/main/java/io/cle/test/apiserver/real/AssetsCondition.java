package io.cle.test.apiserver.real;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips tests that need a real API server where there is none. */
final class AssetsCondition implements ExecutionCondition {

    private static final String REQUIRED = "CLE_REQUIRE_APISERVER";

    /** What has been said already: once in a run is enough, and the reports of most builds don't show reasons. */
    private static final Set<Assets> TOLD = ConcurrentHashMap.newKeySet();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        boolean needsNative = AnnotationSupport.isAnnotated(context.getElement(), EnabledIfNativeApiServer.class);
        boolean needsPlain = AnnotationSupport.isAnnotated(context.getElement(), EnabledIfRealApiServer.class);
        ConditionEvaluationResult plain =
                needsPlain ? evaluate(Assets.PLAIN) : ConditionEvaluationResult.enabled("needs no real API server");
        return plain.isDisabled() || !needsNative ? plain : evaluate(Assets.NATIVE);
    }

    private static ConditionEvaluationResult evaluate(Assets assets) {
        if (assets.directory().isPresent()) {
            return ConditionEvaluationResult.enabled(assets.variable() + " is set");
        }
        String what = assets.variable() + " is not set: it must name the directory that holds kube-apiserver and etcd";
        if (assets == Assets.PLAIN && "true".equals(System.getenv(REQUIRED))) {
            throw new IllegalStateException("a real API server is required here (" + REQUIRED + "=true), but " + what);
        }
        if (TOLD.add(assets)) {
            System.err.println("Tests are skipped that need a real API server: " + what);
        }
        return ConditionEvaluationResult.disabled("skipped, " + what);
    }
}
