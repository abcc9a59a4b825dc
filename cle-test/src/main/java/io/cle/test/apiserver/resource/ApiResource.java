package io.cle.test.apiserver.resource;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.resource.MetadataRules.NameForm;
import io.cle.test.apiserver.store.GroupResource;
import io.cle.test.apiserver.store.Metadata;

/**
 * A kind of object in one version: its names and how the server handles it. Immutable.
 *
 * @param group the API group, empty for the core one
 * @param version the version, such as {@code v1}
 * @param kind the kind, such as {@code Lease}
 * @param plural the plural, such as {@code leases}
 * @param singular the singular, such as {@code lease}
 * @param shortNames the short names for {@code kubectl}
 * @param namespaced whether its objects are namespaced
 * @param custom whether a CustomResourceDefinition defines it
 * @param createdByPut whether a PUT creates a missing object
 * @param unconditionalUpdate whether a PUT without a resourceVersion is accepted
 * @param statusSubresource whether {@code status} is a subresource
 * @param nameForm the form of names
 * @param selectableFields the fields that a field selector may use, besides name and namespace
 * @param columns the columns of {@code kubectl get}
 * @param rules the kind's rules
 */
public record ApiResource(
        String group,
        String version,
        String kind,
        String plural,
        String singular,
        List<String> shortNames,
        boolean namespaced,
        boolean custom,
        boolean createdByPut,
        boolean unconditionalUpdate,
        boolean statusSubresource,
        NameForm nameForm,
        Set<String> selectableFields,
        List<PrinterColumn> columns,
        ObjectRules rules) {

    /** Returns a builder for a namespaced kind. {@code apiVersion} is {@code group/version} or {@code v1}. */
    public static Builder namespaced(String apiVersion, String kind, String plural) {
        return new Builder(apiVersion, kind, plural, true);
    }

    /** Returns a builder for a cluster-scoped kind. */
    public static Builder clusterScoped(String apiVersion, String kind, String plural) {
        return new Builder(apiVersion, kind, plural, false);
    }

    /** {@code group/version}, or only the version in the core group. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Returns its key: group, version and plural. */
    public String address() {
        return address(group, version, plural);
    }

    /** Returns the address of a kind, served or not. */
    public static String address(String group, String version, String plural) {
        return group + '/' + version + '/' + plural;
    }

    /** Returns group and plural, which identify the kind's objects of all versions in messages, RBAC and the store. */
    public GroupResource groupResource() {
        return new GroupResource(group, plural);
    }

    /** Returns a stored object in this version. All versions have the same fields. */
    public JsonObject view(JsonObject stored) {
        if (apiVersion().equals(Metadata.string(stored, "apiVersion"))) {
            return stored;
        }
        JsonObject seen = stored.deepCopy();
        seen.addProperty("apiVersion", apiVersion());
        return seen;
    }

    /** Settings of a kind, with defaults that fit most kinds. Not thread-safe. */
    public static final class Builder {
        private final String group;
        private final String version;
        private final String kind;
        private final String plural;
        private final boolean namespaced;
        private String singular;
        private List<String> shortNames = List.of();
        private boolean custom;
        private boolean createdByPut;
        private boolean unconditionalUpdate = true;
        private boolean statusSubresource;
        private NameForm nameForm = NameForm.SUBDOMAIN;
        private Set<String> selectableFields = Set.of();
        private List<PrinterColumn> columns = List.of(PrinterColumn.NAME, PrinterColumn.AGE);
        private ObjectRules rules = ObjectRules.NONE;

        private Builder(String apiVersion, String kind, String plural, boolean namespaced) {
            int slash = apiVersion.indexOf('/');
            this.group = slash < 0 ? "" : apiVersion.substring(0, slash);
            this.version = apiVersion.substring(slash + 1);
            this.kind = kind;
            this.plural = plural;
            this.namespaced = namespaced;
            this.singular = kind.toLowerCase(Locale.ROOT);
        }

        Builder called(String singularName, List<String> shorts) {
            singular = singularName;
            shortNames = shorts;
            return this;
        }

        Builder shortNames(String... names) {
            shortNames = List.of(names);
            return this;
        }

        Builder custom() {
            custom = true;
            unconditionalUpdate = false;
            return this;
        }

        Builder createdByPut() {
            createdByPut = true;
            return this;
        }

        Builder neverUnconditionally() {
            unconditionalUpdate = false;
            return this;
        }

        Builder statusSubresource(boolean has) {
            statusSubresource = has;
            return this;
        }

        Builder nameForm(NameForm form) {
            nameForm = form;
            return this;
        }

        Builder selectable(String... fields) {
            selectableFields = Set.of(fields);
            return this;
        }

        Builder columns(List<PrinterColumn> shown) {
            columns = List.copyOf(shown);
            return this;
        }

        Builder columns(PrinterColumn... shown) {
            return columns(List.of(shown));
        }

        Builder rules(ObjectRules demanded) {
            rules = demanded;
            return this;
        }

        ApiResource build() {
            return new ApiResource(
                    group,
                    version,
                    kind,
                    plural,
                    singular,
                    shortNames,
                    namespaced,
                    custom,
                    createdByPut,
                    unconditionalUpdate,
                    statusSubresource,
                    nameForm,
                    selectableFields,
                    columns,
                    rules);
        }
    }
}
