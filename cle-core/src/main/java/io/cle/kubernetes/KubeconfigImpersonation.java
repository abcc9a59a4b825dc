package io.cle.kubernetes;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.util.KubeConfig;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The headers with which a kubeconfig's user impersonates another user ({@code as} and related fields). client-java doesn't read these
 * fields, and would send requests with the rights of the impersonating user, often an administrator.
 */
final class KubeconfigImpersonation {

    private static final List<String> WITH_A_USER = List.of("as-uid", "as-groups", "as-user-extra");

    private final String source;
    private final Headers.Builder headers = new Headers.Builder();

    private KubeconfigImpersonation(String source) {
        this.source = source;
    }

    /**
     * Returns the headers that kubectl sends for the user of the current context; empty if it impersonates nobody.
     *
     * @param source the file, for messages
     * @throws NoClusterConfigurationException if a field can't be sent, or is set without {@code as}
     */
    static Headers of(KubeConfig config, String source) {
        Map<?, ?> user = KubeconfigLogin.user(config);
        KubeconfigImpersonation impersonation = new KubeconfigImpersonation(source);
        if (isEmpty(user.get("as"))) {
            impersonation.requireNothingElse(user);
        } else {
            impersonation.add("Impersonate-User", "as", user.get("as"));
            impersonation.addRest(user);
        }
        return impersonation.headers.build();
    }

    private void requireNothingElse(Map<?, ?> user) {
        for (String field : WITH_A_USER) {
            if (!isEmpty(user.get(field))) {
                throw refused(field, "is used without 'as'; name the user to act as, or leave '" + field + "' out");
            }
        }
    }

    private void addRest(Map<?, ?> user) {
        if (!isEmpty(user.get("as-uid"))) {
            add("Impersonate-Uid", "as-uid", user.get("as-uid"));
        }
        addEach("Impersonate-Group", "as-groups", user.get("as-groups"));
        Object extra = user.get("as-user-extra");
        if (isEmpty(extra)) {
            return;
        }
        if (!(extra instanceof Map<?, ?> byKey)) {
            throw refused("as-user-extra", "must map names to lists of text and is '" + extra + "'");
        }
        byKey.forEach((key, values) ->
                addEach("Impersonate-Extra-" + escaped(String.valueOf(key)), "as-user-extra." + key, values));
    }

    private void addEach(String header, String field, @Nullable Object values) {
        if (values == null) {
            return;
        }
        if (!(values instanceof List<?> list)) {
            throw refused(field, "must be a list of text and is '" + values + "'");
        }
        list.forEach(value -> add(header, field, value));
    }

    private void add(String header, String field, @Nullable Object value) {
        if (!(value instanceof String text) || text.chars().anyMatch(Character::isISOControl)) {
            throw refused(field, "must be text without control characters and is '" + value + "'; put it in quotes");
        }
        headers.addUnsafeNonAscii(header, text);
    }

    /** Percent-encodes characters that are illegal in header names, and the percent sign, as client-go does. */
    private static String escaped(String key) {
        StringBuilder name = new StringBuilder();
        for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
            boolean legal = (b >= '0' && b <= '9')
                    || (b >= 'A' && b <= 'Z')
                    || (b >= 'a' && b <= 'z')
                    || (b > 0 && "!#$&'*+-.^_`|~".indexOf(b) >= 0);
            name.append(legal ? String.valueOf((char) b) : "%%%02X".formatted(b));
        }
        return name.toString();
    }

    private static boolean isEmpty(@Nullable Object value) {
        return value == null
                || "".equals(value)
                || (value instanceof List<?> list && list.isEmpty())
                || (value instanceof Map<?, ?> map && map.isEmpty());
    }

    private NoClusterConfigurationException refused(String field, String problem) {
        return new NoClusterConfigurationException(
                "the kubeconfig " + source + ", can't be used: its user's '" + field + "' " + problem, null);
    }
}
