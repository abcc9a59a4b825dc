{{/* The name of the release's objects. A release "cle" has "cle-coordinator", one "second" has "second-cle-coordinator". */}}
{{- define "cle.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name -}}
{{- else if hasPrefix (printf "%s-" .Release.Name) $name -}}
{{- $name -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name -}}
{{- end -}}
{{- end -}}

{{- define "cle.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "cle.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/*
The Lease by which the replicas elect the one that coordinates. Named by the release, because two releases in one namespace would otherwise take each other's
replicas for their own, and one of them would never coordinate.
*/}}
{{- define "cle.replicaLease" -}}
{{- $fullname := include "cle.fullname" . -}}
{{- if eq $fullname .Chart.Name -}}
coordinated-election-controller
{{- else -}}
coordinated-election-controller-{{ $fullname }}
{{- end -}}
{{- end -}}

{{/* The ClusterRole of applications: cle-application belongs to the release that installs the kinds of objects; others have one of their own. */}}
{{- define "cle.applicationRole" -}}
{{- if .Values.rbac.applicationRole -}}
{{- .Values.rbac.applicationRole -}}
{{- else if .Values.crds.install -}}
cle-application
{{- else -}}
{{- include "cle.fullname" . }}-application
{{- end -}}
{{- end -}}

{{- define "cle.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* The labels of every object. commonLabels can't replace those by which objects are found. */}}
{{- define "cle.labels" -}}
{{- toYaml (merge (include "cle.selectorLabels" . | fromYaml) (dict
      "app.kubernetes.io/version" .Chart.AppVersion
      "app.kubernetes.io/part-of" "coordinated-leader-election"
      "app.kubernetes.io/managed-by" .Release.Service
      "helm.sh/chart" (printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-"))
      .Values.commonLabels) -}}
{{- end -}}

{{/* An object of a file of this chart, with a name and the release's labels beside its own: (list $ <object> <name>). */}}
{{- define "cle.object" -}}
{{- $object := index . 1 -}}
{{- $_ := set $object.metadata "name" (index . 2) -}}
{{- $_ := set $object.metadata "labels" (merge (include "cle.labels" (index . 0) | fromYaml) ($object.metadata.labels | default dict)) -}}
{{- toYaml $object -}}
{{- end -}}

{{/*
Whether the release owns a cluster-wide object that outlives releases, or may make it: (list $ <apiVersion> <kind> <name>). Helm fails on an object of another
release, or of kubectl; this chart leaves it as it is, and NOTES.txt says how the release takes it over. Empty means no. The cluster is asked only where Helm has
one: it then lists kinds beside the API versions that every Helm knows.
*/}}
{{- define "cle.owns" -}}
{{- $root := index . 0 -}}
{{- $there := dict -}}
{{- if $root.Capabilities.APIVersions.Has "apps/v1/Deployment" -}}
{{- $there = lookup (index . 1) (index . 2) "" (index . 3) -}}
{{- end -}}
{{- if not $there -}}
true
{{- else if and (eq (dig "metadata" "annotations" "meta.helm.sh/release-name" "" $there) $root.Release.Name) (eq (dig "metadata" "annotations" "meta.helm.sh/release-namespace" "" $there) $root.Release.Namespace) -}}
true
{{- end -}}
{{- end -}}
