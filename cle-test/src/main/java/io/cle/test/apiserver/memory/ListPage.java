package io.cle.test.apiserver.memory;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.store.Listing;
import io.cle.test.apiserver.store.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a list a request asks for, by {@code limit} and {@code continue}. All pages are of one state, which the continue token
 * names, as kube-apiserver's do.
 *
 * @param limit how many objects at most; 0 for all
 * @param resourceVersion the state; null for the present one
 * @param after the last object of the page before, as {@code <namespace>/<name>}; empty for the first page
 * @param wholeList whether a selector has left nothing out, so that the remaining items are counted
 */
public record ListPage(int limit, @Nullable Long resourceVersion, String after, boolean wholeList) {

    private static final String FORMAT = "meta.k8s.io/v1";

    /**
     * Reads what a request asks for.
     *
     * @param asked the resourceVersion of the request; null when it has none
     * @throws ApiFailure 400
     */
    static ListPage of(ApiServerRequest request, @Nullable Long asked) {
        String token = request.query().getOrDefault("continue", "");
        boolean wholeList = request.query().getOrDefault("labelSelector", "").isEmpty()
                && request.query().getOrDefault("fieldSelector", "").isEmpty();
        // A list from the cache is given as a whole.
        int limit = asked != null && asked == 0 ? 0 : limit(request.query().getOrDefault("limit", "0"));
        if (token.isEmpty()) {
            return new ListPage(limit, null, "", wholeList);
        }
        if (asked != null && asked != 0) {
            throw ApiFailure.badRequest("specifying resource version is not allowed when using continue");
        }
        try {
            JsonObject parts = JsonParser.parseString(
                            new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8))
                    .getAsJsonObject();
            String start = parts.get("start").getAsString();
            return new ListPage(limit, parts.get("rv").getAsLong(), start.substring(0, start.length() - 1), wholeList);
        } catch (IllegalArgumentException | JsonParseException | IllegalStateException | NullPointerException e) {
            throw ApiFailure.badRequest("continue key is not valid: " + e.getMessage());
        }
    }

    private static int limit(String text) {
        try {
            int limit = Integer.parseInt(text);
            if (limit >= 0) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // It is refused below.
        }
        throw ApiFailure.badRequest("limit is not a number of objects: " + text);
    }

    /** The objects of this page. */
    List<JsonObject> items(Listing listing) {
        List<JsonObject> rest = rest(listing);
        return limit == 0 || rest.size() <= limit ? rest : rest.subList(0, limit);
    }

    /** Says in a list's metadata what follows this page, if anything does. */
    void describe(Listing listing, JsonObject metadata) {
        List<JsonObject> rest = rest(listing);
        if (limit == 0 || rest.size() <= limit) {
            return;
        }
        JsonObject last = rest.get(limit - 1);
        metadata.addProperty(
                "continue", tokenOf(listing.resourceVersion(), Metadata.namespace(last), Metadata.name(last)));
        if (wholeList) {
            metadata.addProperty("remainingItemCount", rest.size() - limit);
        }
    }

    /** Objects come in order of namespace and name. */
    private List<JsonObject> rest(Listing listing) {
        if (after.isEmpty()) {
            return listing.items();
        }
        int slash = after.indexOf('/');
        String namespace = after.substring(0, slash);
        String name = after.substring(slash + 1);
        return listing.items().stream()
                .filter(object -> {
                    int byNamespace = Metadata.namespace(object).compareTo(namespace);
                    return byNamespace > 0
                            || (byNamespace == 0 && Metadata.name(object).compareTo(name) > 0);
                })
                .toList();
    }

    /**
     * The continue token of a page.
     *
     * @param resourceVersion the state of the list
     * @param namespace the namespace of the last object of the page before; empty for none
     * @param name its name; empty, with the namespace, for the first page
     */
    public static String tokenOf(long resourceVersion, String namespace, String name) {
        JsonObject parts = new JsonObject();
        parts.addProperty("v", FORMAT);
        parts.addProperty("rv", resourceVersion);
        parts.addProperty("start", namespace + '/' + name + '\0');
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(parts.toString().getBytes(StandardCharsets.UTF_8));
    }
}
