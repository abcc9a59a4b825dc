package io.cle.test.apiserver.contract;

import io.cle.test.apiserver.HttpApi;

/** A part of the contract, which tests the same server as the whole. */
abstract class ContractPart implements ContractSubject {

    private final ContractSubject subject;

    ContractPart(ContractSubject subject) {
        this.subject = subject;
    }

    @Override
    public final HttpApi api() {
        return subject.api();
    }

    @Override
    public final String namespace() {
        return subject.namespace();
    }
}
