package io.cle.test.apiserver.real;

import java.lang.annotation.Annotation;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips tests that need a real API server where there is none. */
final class AssetsCondition implements ExecutionCondition {

    private static final Map<Assets, Class<? extends Annotation>> ANNOTATIONS = new EnumMap<>(Map.of(
            Assets.PLAIN, EnabledIfRealApiServer.class,
            Assets.NATIVE, EnabledIfNativeApiServer.class,
            Assets.PARTS, EnabledIfCurrentApiServer.class));

    /** Already reported; once per run is enough, and most builds' reports don't show reasons. */
    private static final Set<Assets> TOLD = ConcurrentHashMap.newKeySet();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return ANNOTATIONS.entrySet().stream()
                .filter(annotation -> AnnotationSupport.isAnnotated(context.getElement(), annotation.getValue()))
                .map(annotation -> evaluate(annotation.getKey()))
                .filter(ConditionEvaluationResult::isDisabled)
                .findFirst()
                .orElse(ConditionEvaluationResult.enabled("every required API server is available"));
    }

    private static ConditionEvaluationResult evaluate(Assets assets) {
        if (assets.directory().isPresent()) {
            return ConditionEvaluationResult.enabled(assets.variable() + " is set");
        }
        String what = assets.variable() + " is not set: it must name the directory that holds " + assets.server()
                + " and etcd";
        if ("true".equals(System.getenv(assets.required()))) {
            throw new IllegalStateException(
                    "a real API server is required here (" + assets.required() + "=true), but " + what);
        }
        if (TOLD.add(assets)) {
            System.err.println("Skipping tests that need a real API server: " + what);
        }
        return ConditionEvaluationResult.disabled("skipped, " + what);
    }
}
