package io.cle.samples.recipes;

import io.cle.CoordinatedLeaseLock;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.reactive.function.server.HandlerFilterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.servlet.HandlerInterceptor;
import reactor.core.publisher.Mono;

/**
 * Lets requests through on the leader only; other replicas answer 503 with the leader's identity.
 *
 * <p>A request that was let through may still be served when the term has ended. If it writes, it passes the fencing token on.
 */
public final class RequireLeader {

    private RequireLeader() {}

    /** For Spring MVC: {@code registry.addInterceptor(requireLeader(lock)).addPathPatterns("/admin/**")}. */
    public static HandlerInterceptor requireLeader(CoordinatedLeaseLock lock) {
        return new HandlerInterceptor() {
            @Override
            public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
                if (!lock.isLeader()) {
                    throw new NotLeaderException(lock);
                }
                return true;
            }
        };
    }

    /** For WebFlux: {@code route().POST("/admin/**", handler).filter(requireLeaderReactively(lock))}. */
    public static HandlerFilterFunction<ServerResponse, ServerResponse> requireLeaderReactively(
            CoordinatedLeaseLock lock) {
        return (request, next) -> lock.isLeader() ? next.handle(request) : Mono.error(new NotLeaderException(lock));
    }
}
