package io.cle.samples.candidate;

import java.io.IOException;
import java.util.List;

import io.cle.kubernetes.KubernetesAccess;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Prints when the candidate is about to be announced to the API server. A listener is called only after the response: a
 * time measured from there would lack the request, and could begin after the coordinator has decided.
 *
 * <p>The timeline is looked up lazily: a bean that is injected into a post-processor is created before most
 * post-processors, and gets neither guards nor transactions.
 */
final class AnnouncementWatch implements BeanPostProcessor, Interceptor {

    private final ObjectProvider<Timeline> timeline;

    AnnouncementWatch(ObjectProvider<Timeline> timeline) {
        this.timeline = timeline;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof KubernetesAccess access ? access.withInterceptor(this) : bean;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        List<String> path = request.url().pathSegments();
        if (request.method().equals("POST") && path.get(path.size() - 1).equals("leasecandidates")) {
            timeline.getObject().announcing();
        }
        return chain.proceed(request);
    }
}
