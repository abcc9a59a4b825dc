{{/* The objects of a folder of manifests, which is one source for this chart and for kustomize: {documents: [...]} of (list $ "files/base/*.yaml"). */}}
{{- define "cle.objects" -}}
{{- $root := index . 0 -}}
{{- $documents := list -}}
{{- range $path, $unused := $root.Files.Glob (index . 1) -}}
{{- range $text := splitList "\n---\n" ($root.Files.Get $path) -}}
{{- $documents = append $documents (fromYaml $text) -}}
{{- end -}}
{{- end -}}
{{- dict "documents" $documents | toYaml -}}
{{- end -}}

{{/* An object in the release's namespace, with its subjects: (list $ <object>). */}}
{{- define "cle.inNamespace" -}}
{{- $namespace := (index . 0).Release.Namespace -}}
{{- $object := index . 1 -}}
{{- if $object.metadata.namespace -}}
{{- $_ := set $object.metadata "namespace" $namespace -}}
{{- end -}}
{{- range $subject := $object.subjects -}}
{{- $_ := set $subject "namespace" $namespace -}}
{{- end -}}
{{- toYaml $object -}}
{{- end -}}

{{/* The Deployment as the values want it: (list $ <object>). */}}
{{- define "cle.deployment" -}}
{{- $root := index . 0 -}}
{{- $values := $root.Values -}}
{{- $object := index . 1 -}}
{{- $_ := set $object.spec "replicas" (int $values.replicas) -}}
{{- $pod := $object.spec.template.spec -}}
{{- $container := index $pod.containers 0 -}}
{{- $_ := set $container "image" (printf "%s:%s" $values.image.repository ($values.image.tag | default $root.Chart.AppVersion)) -}}
{{- $_ := set $container "imagePullPolicy" $values.image.pullPolicy -}}
{{- $env := $container.env -}}
{{- with $values.namespaces -}}
{{- $env = append $env (dict "name" "CLE_COORDINATOR_NAMESPACES" "value" (join "," .)) -}}
{{- end -}}
{{- with $values.page.hosts -}}
{{- $env = append $env (dict "name" "CLE_COORDINATOR_PAGE_HOSTS" "value" (join "," .)) -}}
{{- end -}}
{{- if $values.leaderServices.enabled -}}
{{- $env = append $env (dict "name" "CLE_COORDINATOR_LEADERSERVICES" "value" "true") -}}
{{- end -}}
{{- $_ := set $container "env" (concat $env $values.env) -}}
{{- with $values.resources -}}{{- $_ := set $container "resources" . -}}{{- end -}}
{{- range $kind, $probe := $values.probes -}}
{{- $name := printf "%sProbe" $kind -}}
{{- $_ := set $container $name (merge (deepCopy $probe) (index $container $name)) -}}
{{- end -}}
{{- with $values.image.pullSecrets -}}{{- $_ := set $pod "imagePullSecrets" . -}}{{- end -}}
{{- with $values.nodeSelector -}}{{- $_ := set $pod "nodeSelector" . -}}{{- end -}}
{{- with $values.tolerations -}}{{- $_ := set $pod "tolerations" . -}}{{- end -}}
{{- with $values.affinity -}}{{- $_ := set $pod "affinity" . -}}{{- end -}}
{{- with $values.podAnnotations -}}
{{- $metadata := $object.spec.template.metadata -}}
{{- $_ := set $metadata "annotations" (merge (deepCopy .) $metadata.annotations) -}}
{{- end -}}
{{- include "cle.inNamespace" (list $root $object) -}}
{{- end -}}
