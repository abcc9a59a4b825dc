package io.cle.test.apiserver.real;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.HttpApi.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A current API server for custom resources accepts our CustomResourceDefinitions. Each of their rules refuses an
 * object whose twin, which differs in one field's value, is accepted.
 */
@EnabledIfCurrentApiServer
@TestInstance(Lifecycle.PER_CLASS)
class CustomResourceRulesTest {

    private static final String CANDIDATES = "leasecandidates";
    private static final String CONFIGURATIONS = "leaseconfigurations";
    private static final String DATE = "2026-01-01T00:00:00.";
    private static final JsonElement MISSING = JsonNull.INSTANCE;

    private CurrentApiServer server;
    private int objects;

    /** A value that a rule refuses, and its twin. */
    private record Case(JsonElement refused, JsonElement accepted) {

        Case(String refused, String accepted) {
            this(new JsonPrimitive(refused), new JsonPrimitive(accepted));
        }

        Case(Number refused, Number accepted) {
            this(new JsonPrimitive(refused), new JsonPrimitive(accepted));
        }
    }

    /** Returns the cases by kind, field and rule, as {@link #rules} names them. */
    private static Map<String, Case> cases() {
        Map<String, Case> cases = new LinkedHashMap<>();
        JsonPrimitive number = new JsonPrimitive(5);
        JsonPrimitive text = new JsonPrimitive("5");
        for (String field : List.of("canLeadLease", "renewTime")) {
            cases.put(
                    CANDIDATES + " " + field + " required",
                    new Case(MISSING, valid(CANDIDATES).get(field)));
        }
        for (String field : List.of("targetLease", "strategy")) {
            cases.put(
                    CONFIGURATIONS + " " + field + " required",
                    new Case(MISSING, valid(CONFIGURATIONS).get(field)));
        }
        String lease = CANDIDATES + " canLeadLease ";
        String longest = "a".repeat(63) + "/" + "b".repeat(253);
        cases.put(lease + "type", new Case(number, new JsonPrimitive("shop/5")));
        cases.put(lease + "minLength", new Case("a/", "a/b"));
        cases.put(lease + "maxLength", new Case(longest + "b", longest));
        cases.put(lease + "pattern", new Case("Shop/orders", "shop/orders"));
        cases.put(lease + "must be namespace/name, with one slash", new Case("shop/orders/1", "shop/orders-1"));
        String target = CONFIGURATIONS + " targetLease ";
        cases.put(target + "type", new Case(number, text));
        cases.put(target + "minLength", new Case("", "a"));
        cases.put(target + "maxLength", new Case(longest + "b", longest));
        cases.put(target + "pattern", new Case("shop/or*s", "shop/or*"));
        for (String kind : List.of(CANDIDATES, CONFIGURATIONS)) {
            String strategy = kind + " strategy ";
            cases.put(strategy + "type", new Case(number, text));
            cases.put(strategy + "minLength", new Case("", "x"));
            cases.put(strategy + "maxLength", new Case("x".repeat(254), "x".repeat(253)));
            cases.put(strategy + "pattern", new Case("Example.com/Nearest", "example.com/Nearest"));
            cases.put(
                    strategy
                            + "must be a name such as HighestPriority, or one with a domain such as example.com/Nearest",
                    new Case("Nearest\n", "Nearest"));
        }
        cases.put(CANDIDATES + " priority type", new Case(text, number));
        cases.put(CANDIDATES + " priority format", new Case(2_147_483_648L, Integer.MAX_VALUE));
        cases.put(CANDIDATES + " leaseDurationSeconds type", new Case(text, number));
        cases.put(CANDIDATES + " leaseDurationSeconds format", new Case(2_147_483_648L, Integer.MAX_VALUE));
        cases.put(CANDIDATES + " leaseDurationSeconds minimum", new Case(0, 1));
        cases.put(CANDIDATES + " renewTime type", new Case(number, new JsonPrimitive(DATE + "5Z")));
        cases.put(CANDIDATES + " renewTime format", new Case("yesterday", DATE + "5Z"));
        cases.put(
                CANDIDATES + " renewTime maxLength",
                new Case(DATE + "5".repeat(44) + "Z", DATE + "5".repeat(43) + "Z"));
        return cases;
    }

    private static JsonObject valid(String kind) {
        JsonObject spec = new JsonObject();
        if (kind.equals(CANDIDATES)) {
            spec.addProperty("canLeadLease", "shop/orders");
            spec.addProperty("renewTime", DATE + "000000Z");
        } else {
            spec.addProperty("targetLease", "orders");
            spec.addProperty("strategy", "HighestPriority");
        }
        return spec;
    }

    /**
     * Returns all rules on fields of the spec, except those of shards, which have a separate test: the keyword of the
     * schema, or the message of a CEL rule.
     */
    private static List<String> rules(JsonObject definition) {
        String kind = at(definition, "spec", "names", "plural").getAsString();
        JsonObject spec = at(
                        definition
                                .getAsJsonObject("spec")
                                .getAsJsonArray("versions")
                                .get(0),
                        "schema",
                        "openAPIV3Schema",
                        "properties",
                        "spec")
                .getAsJsonObject();
        List<String> rules = new ArrayList<>();
        spec.getAsJsonArray("required").forEach(field -> rules.add(kind + " " + field.getAsString() + " required"));
        spec.getAsJsonObject("properties").entrySet().stream()
                .filter(field -> !field.getKey().equals("group"))
                .forEach(field -> {
                    for (Map.Entry<String, JsonElement> rule :
                            field.getValue().getAsJsonObject().entrySet()) {
                        if (rule.getValue() instanceof JsonArray inCel) {
                            inCel.forEach(each -> rules.add(kind + " " + field.getKey() + " "
                                    + at(each, "message").getAsString()));
                        } else if (!rule.getKey().equals("description")) {
                            rules.add(kind + " " + field.getKey() + " " + rule.getKey());
                        }
                    }
                });
        return rules;
    }

    private static JsonElement at(JsonElement element, String... path) {
        JsonElement found = element;
        for (String step : path) {
            found = found.getAsJsonObject().get(step);
        }
        return found;
    }

    /** Returns a part of the server's message for an object that breaks a rule. */
    private static String answer(String rule) {
        return switch (rule) {
            case "required" -> "Required value";
            case "type" -> "must be of type";
            case "minLength" -> "should be at least";
            case "maxLength" -> "may not be more than";
            case "pattern" -> "should match";
            case "minimum" -> "should be greater than or equal to";
            case "format" -> "must be";
            default -> rule;
        };
    }

    @BeforeAll
    void start() {
        server = CurrentApiServer.start();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void eachRuleHasACase() {
        List<String> all = CustomResourceDefinitions.all().stream()
                .map(CustomResourceRulesTest::rules)
                .flatMap(Collection::stream)
                .filter(rule -> !rule.contains(" is immutable"))
                .toList();

        assertThat(cases().keySet()).containsExactlyInAnyOrderElementsOf(all);
    }

    @TestFactory
    Stream<DynamicTest> eachRuleRefusesAnObjectAndAcceptsItsTwin() {
        return cases().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    String[] rule = entry.getKey().split(" ", 3);
                    Reply refused = created(rule[0], rule[1], entry.getValue().refused());

                    assertThat(refused.code()).as(refused.text()).isEqualTo(422);
                    assertThat(refused.message()).contains("spec." + rule[1]).contains(answer(rule[2]));
                    Reply accepted = created(rule[0], rule[1], entry.getValue().accepted());
                    assertThat(accepted.code()).as(accepted.text()).isEqualTo(201);
                }));
    }

    /** Each case is a lease, a group, and a part of the server's refusal, which is empty if both are accepted together. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shop/orders-16-* | {'shards': 16} | ''",
                "shop/orders-16-* | {'shards': 16, 'withdrawn': [0, 15]} | ''",
                "shop/orders-1000-* | {'shards': 1000} | ''",
                "shop/orders-16-* | | belong together",
                "shop/orders-16-3 | {'shards': 16} | belong together",
                "shop/orders* | {'shards': 16} | should match",
                "shop/orders-16-* | {} | needs either shards or leases",
                "shop/jobs-* | {'leases': ['billing', 'reports']} | ''",
                "shop/jobs-* | {'shards': 16} | belong together",
                "shop/jobs-16-* | {'leases': ['billing']} | belong together",
                "shop/jobs-* | {'shards': 16, 'leases': ['billing']} | needs either shards or leases",
                "shop/jobs-* | {'leases': ['billing'], 'withdrawn': [1]} | withdrawn is for shards",
                "shop/jobs-* | {'leases': []} | should have at least 1 items",
                "shop/jobs-* | {'leases': ['billing', 'billing']} | Duplicate value",
                "shop/jobs-* | {'leases': ['Billing']} | should match",
                "shop/jobs-* | {'leases': [1]} | must be of type",
                "shop/orders-16-* | {'shards': 0} | should be greater than or equal to 1",
                "shop/orders-16-* | {'shards': 1001} | should be less than or equal to 1000",
                "shop/orders-16-* | {'shards': 'x'} | must be of type",
                "shop/orders-16-* | {'shards': 16, 'withdrawn': [-1]} | should be greater than or equal to 0",
                "shop/orders-16-* | {'shards': 16, 'withdrawn': [1000]} | should be less than or equal to 999",
                "shop/orders-16-* | {'shards': 16, 'withdrawn': [3, 3]} | Duplicate value",
                "shop/orders-16-* | {'shards': 16, 'withdrawn': ['x']} | must be of type"
            })
    void theGroupOfACandidateIsTheOneThatItsLeaseNames(String lease, @Nullable String group, String refusal) {
        JsonObject spec = valid(CANDIDATES);
        spec.addProperty("canLeadLease", lease);
        if (group != null) {
            spec.add("group", JsonParser.parseString(group));
        }

        Reply reply = server.api().post(path(CANDIDATES), object(CANDIDATES, spec));

        assertThat(reply.code()).as(reply.text()).isEqualTo(refusal.isEmpty() ? 201 : 422);
        assertThat(reply.text()).contains(refusal);
    }

    @Test
    void theNumberOfShardsOfACandidateIsImmutable() {
        JsonObject spec = valid(CANDIDATES);
        spec.addProperty("canLeadLease", "shop/orders-16-*");
        spec.add("group", JsonParser.parseString("{'shards': 16}"));
        Reply created = server.api().post(path(CANDIDATES), object(CANDIDATES, spec));
        String path = path(CANDIDATES) + "/" + created.at("metadata.name");

        Reply withdrawn = server.api()
                .patch(path, "application/merge-patch+json", "{\"spec\": {\"group\": {\"withdrawn\": [3]}}}");
        Reply other =
                server.api().patch(path, "application/merge-patch+json", "{\"spec\": {\"group\": {\"shards\": 8}}}");

        assertThat(withdrawn.code()).as(withdrawn.text()).isEqualTo(200);
        assertThat(other.code()).as(other.text()).isEqualTo(422);
        assertThat(other.message()).contains("is immutable");
    }

    @Test
    void theLeaseOfACandidateIsImmutable() {
        Reply created = created(CANDIDATES, "priority", new JsonPrimitive(1));
        String path = path(CANDIDATES) + "/" + created.at("metadata.name");

        Reply same = patch(path, "shop/orders");
        Reply other = patch(path, "shop/bills");

        assertThat(same.code()).as(same.text()).isEqualTo(200);
        assertThat(other.code()).as(other.text()).isEqualTo(422);
        assertThat(other.message()).contains("is immutable");
    }

    private Reply patch(String path, String lease) {
        return server.api()
                .patch(path, "application/merge-patch+json", "{\"spec\": {\"canLeadLease\": \"" + lease + "\"}}");
    }

    @Test
    void anObjectWithoutASpecIsRefused() {
        for (String kind : List.of(CANDIDATES, CONFIGURATIONS)) {
            Reply reply = server.api().post(path(kind), object(kind, null));

            assertThat(reply.code()).as(reply.text()).isEqualTo(422);
            assertThat(reply.message()).contains("spec: Required value");
        }
    }

    @Test
    void bothKindsAreListedByTheirCategory() {
        JsonArray resources =
                server.api().get("/apis/coordination.cle.io/v1alpha1").json().getAsJsonArray("resources");

        assertThat(resources)
                .filteredOn(resource -> !at(resource, "name").getAsString().contains("/"))
                .hasSize(2)
                .allSatisfy(resource ->
                        assertThat(at(resource, "categories").toString()).isEqualTo("[\"leader-election\"]"));
    }

    private Reply created(String kind, String field, JsonElement value) {
        JsonObject spec = valid(kind);
        if (value == MISSING) {
            spec.remove(field);
        } else {
            spec.add(field, value);
        }
        return server.api().post(path(kind), object(kind, spec));
    }

    private JsonObject object(String kind, JsonObject spec) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", "object-" + objects++);
        JsonObject object = new JsonObject();
        object.addProperty("apiVersion", "coordination.cle.io/v1alpha1");
        object.addProperty("kind", kind.equals(CANDIDATES) ? "LeaseCandidate" : "LeaseConfiguration");
        object.add("metadata", metadata);
        if (spec != null) {
            object.add("spec", spec);
        }
        return object;
    }

    private static String path(String kind) {
        return "/apis/coordination.cle.io/v1alpha1/namespaces/shop/" + kind;
    }
}
