package io.cle.test.apiserver.resource;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.cle.test.apiserver.schema.MetadataRules.NameForm;
import io.cle.test.apiserver.store.GroupResource;

/** A kind of object in one version: what it's called and how the server treats it. Immutable. */
public final class ResourceType {

    private final String group;
    private final String version;
    private final String kind;
    private final String plural;
    private final String singular;
    private final List<String> shortNames;
    private final boolean namespaced;
    private final boolean custom;
    private final boolean createOnUpdate;
    private final boolean unconditionalUpdate;
    private final boolean statusSubresource;
    private final boolean gracefulDeletion;
    private final NameForm nameForm;
    private final Set<String> selectableFields;
    private final List<PrinterColumn> columns;
    private final ObjectRules rules;
    private final GroupResource stored;

    private ResourceType(Builder builder) {
        group = builder.group;
        version = builder.version;
        kind = builder.kind;
        plural = builder.plural;
        singular = builder.singular;
        shortNames = builder.shortNames;
        namespaced = builder.namespaced;
        custom = builder.custom;
        createOnUpdate = builder.createOnUpdate;
        unconditionalUpdate = builder.unconditionalUpdate;
        statusSubresource = builder.statusSubresource;
        gracefulDeletion = builder.gracefulDeletion;
        nameForm = builder.nameForm;
        selectableFields = builder.selectableFields;
        columns = builder.columns;
        rules = builder.rules;
        stored = builder.stored;
    }

    /** Begins the description of a namespaced kind. {@code apiVersion} is {@code group/version} or {@code v1}. */
    public static Builder namespaced(String apiVersion, String kind, String plural) {
        return new Builder(apiVersion, kind, plural, true);
    }

    /** Begins the description of a kind without namespaces. */
    public static Builder clusterScoped(String apiVersion, String kind, String plural) {
        return new Builder(apiVersion, kind, plural, false);
    }

    /** The API group, empty for the core one. */
    public String group() {
        return group;
    }

    /** The version, such as {@code v1}. */
    public String version() {
        return version;
    }

    /** {@code group/version}, or only the version in the core group. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** The kind, such as {@code Lease}. */
    public String kind() {
        return kind;
    }

    /** The plural, such as {@code leases}. */
    public String plural() {
        return plural;
    }

    /** The singular, such as {@code lease}. */
    public String singular() {
        return singular;
    }

    /** What {@code kubectl} may call it for short. */
    public List<String> shortNames() {
        return shortNames;
    }

    /** Whether its objects stand in namespaces. */
    public boolean isNamespaced() {
        return namespaced;
    }

    /** Whether a CustomResourceDefinition defines it. */
    public boolean isCustom() {
        return custom;
    }

    /** Whether a PUT creates what isn't there. */
    public boolean createsOnUpdate() {
        return createOnUpdate;
    }

    /** Whether a PUT without a resourceVersion is taken. */
    public boolean allowsUnconditionalUpdate() {
        return unconditionalUpdate;
    }

    /** Whether {@code status} is written on its own. */
    public boolean hasStatusSubresource() {
        return statusSubresource;
    }

    /** Whether objects that run somewhere are only marked by a deletion without {@code gracePeriodSeconds: 0}. */
    public boolean endsGracefully() {
        return gracefulDeletion;
    }

    /** How names must be formed. */
    public NameForm nameForm() {
        return nameForm;
    }

    /** The fields that a field selector may name, beside name and namespace. */
    public Set<String> selectableFields() {
        return selectableFields;
    }

    /** What {@code kubectl get} shows. */
    public List<PrinterColumn> columns() {
        return columns;
    }

    /** What the kind demands. */
    public ObjectRules rules() {
        return rules;
    }

    /** Under what the store keeps it; versions and groups that show the same objects share it. */
    public GroupResource stored() {
        return stored;
    }

    /** Group and plural as messages and rights name them. */
    public GroupResource groupResource() {
        return new GroupResource(group, plural);
    }

    /** Collects what is particular about a kind; the rest is as with most. Not thread-safe. */
    public static final class Builder {
        private final String group;
        private final String version;
        private final String kind;
        private final String plural;
        private final boolean namespaced;
        private String singular;
        private List<String> shortNames = List.of();
        private boolean custom;
        private boolean createOnUpdate;
        private boolean unconditionalUpdate = true;
        private boolean statusSubresource;
        private boolean gracefulDeletion;
        private NameForm nameForm = NameForm.SUBDOMAIN;
        private Set<String> selectableFields = Set.of();
        private List<PrinterColumn> columns = List.of(PrinterColumn.NAME, PrinterColumn.AGE);
        private ObjectRules rules = ObjectRules.NONE;
        private GroupResource stored;

        private Builder(String apiVersion, String kind, String plural, boolean namespaced) {
            int slash = apiVersion.indexOf('/');
            this.group = slash < 0 ? "" : apiVersion.substring(0, slash);
            this.version = apiVersion.substring(slash + 1);
            this.kind = kind;
            this.plural = plural;
            this.namespaced = namespaced;
            this.singular = kind.toLowerCase(Locale.ROOT);
            this.stored = new GroupResource(group, plural);
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
            createOnUpdate = true;
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

        Builder gracefulDeletion() {
            gracefulDeletion = true;
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

        Builder storedAs(String groupName, String resource) {
            stored = new GroupResource(groupName, resource);
            return this;
        }

        ResourceType build() {
            return new ResourceType(this);
        }
    }
}
