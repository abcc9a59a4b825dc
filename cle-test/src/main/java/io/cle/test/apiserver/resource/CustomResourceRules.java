package io.cle.test.apiserver.resource;

import java.util.List;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.schema.StructuralSchema;
import io.cle.test.apiserver.status.StatusCause;
import org.jspecify.annotations.Nullable;

/** Custom resources: what the schema of their definition says. */
final class CustomResourceRules implements ObjectRules {

    private final StructuralSchema schema;

    CustomResourceRules(StructuralSchema schema) {
        this.schema = schema;
    }

    @Override
    public List<String> decode(JsonObject object) {
        return schema.prune(object);
    }

    @Override
    public void validate(JsonObject object, @Nullable JsonObject present, List<StatusCause> causes) {
        schema.validate(object, causes);
    }
}
