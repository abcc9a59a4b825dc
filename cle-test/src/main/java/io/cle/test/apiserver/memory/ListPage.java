package io.cle.test.apiserver.memory;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.store.Listing;
import io.cle.test.apiserver.store.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * The page of a list that a request asks for, by {@code limit} and {@code continue}. As in kube-apiserver, all pages
 * are of one state, which the continue token names.
 *
 * @param limit how many objects at most; 0 for all
 * @param resourceVersion the state; null for the present one
 * @param namespace the namespace of the last object of the page before; empty for the first page
 * @param name the name of that object; empty for the first page
 * @param wholeList whether there is no selector, so that remaining items are counted
 */
public record ListPage(int limit, @Nullable Long resourceVersion, String namespace, String name, boolean wholeList) {

    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final Pattern TOKEN = Pattern.compile("([0-8]?\\d{1,18})/([^/]*)/([^/]*)");

    /**
     * Parses a request.
     *
     * @param asked the resourceVersion of the request; null when it has none
     * @throws ApiFailure 400
     */
    static ListPage of(ApiServerRequest request, @Nullable Long asked) {
        String token = request.query().getOrDefault("continue", "");
        boolean wholeList = request.query().getOrDefault("labelSelector", "").isEmpty()
                && request.query().getOrDefault("fieldSelector", "").isEmpty();
        String number = request.query().getOrDefault("limit", "0");
        if (!NUMBER.matcher(number).matches()) {
            throw ApiFailure.badRequest("limit is not a number of objects: " + number);
        }
        // Lists from the cache aren't paged.
        int limit = asked != null && asked == 0 ? 0 : Integer.parseInt(number);
        if (token.isEmpty()) {
            return new ListPage(limit, null, "", "", wholeList);
        }
        if (asked != null && asked != 0) {
            throw ApiFailure.badRequest("specifying resource version is not allowed when using continue");
        }
        Matcher parts = TOKEN.matcher(decoded(token));
        if (!parts.matches()) {
            throw ApiFailure.badRequest("continue key is not valid: " + token);
        }
        return new ListPage(limit, Long.valueOf(parts.group(1)), parts.group(2), parts.group(3), wholeList);
    }

    private static String decoded(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ApiFailure.badRequest("continue key is not valid: " + token);
        }
    }

    /** The objects of this page. */
    List<JsonObject> items(Listing listing) {
        List<JsonObject> rest = rest(listing);
        return limit == 0 || rest.size() <= limit ? rest : rest.subList(0, limit);
    }

    /** Adds the continue token to a list's metadata if more pages follow. */
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
        if (name.isEmpty()) {
            return listing.items();
        }
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
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((resourceVersion + "/" + namespace + "/" + name).getBytes(StandardCharsets.UTF_8));
    }
}
