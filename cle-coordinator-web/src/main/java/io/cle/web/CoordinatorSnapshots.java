package io.cle.web;

import java.util.concurrent.CompletionStage;

import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot;

/** The page's way to the coordinator. Implementations are thread-safe and don't block. */
public interface CoordinatorSnapshots {

    /** What is known now of every lease, in order of namespace and name. */
    CompletionStage<CoordinatorSnapshot> all();

    /** What is known now of one lease; without any when it isn't known. */
    CompletionStage<CoordinatorSnapshot> one(ObjectKey lease);
}
