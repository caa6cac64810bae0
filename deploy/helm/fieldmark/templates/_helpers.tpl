{{/* The name of the chart in labels. */}}
{{- define "fieldmark.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of all objects. */}}
{{- define "fieldmark.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains (include "fieldmark.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "fieldmark.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Objects that belong to no namespace need a name that no other release has. */}}
{{- define "fieldmark.clusterName" -}}
{{- printf "%s:%s:impersonate" .Release.Namespace (include "fieldmark.fullname" .) -}}
{{- end -}}

{{- define "fieldmark.selectorLabels" -}}
app.kubernetes.io/name: {{ include "fieldmark.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "fieldmark.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "fieldmark.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: fieldmark
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "fieldmark.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "fieldmark.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "fieldmark.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* The Secret with the session keys. */}}
{{- define "fieldmark.sessionSecret" -}}
{{- default (printf "%s-session-keys" (include "fieldmark.fullname" .)) .Values.sessionKeys.existingSecret -}}
{{- end -}}

{{/* The host of publicURL, without its port: what an Ingress and an HTTPRoute match. */}}
{{- define "fieldmark.host" -}}
{{- (urlParse .Values.publicURL).hostname -}}
{{- end -}}

{{/* Where clients of the API server look for its authority: the pod has it there, without the account's token. */}}
{{- define "fieldmark.account" -}}
/var/run/secrets/kubernetes.io/serviceaccount
{{- end -}}

{{/* The file of --shared-config: config, and the files of the pod that it needs. */}}
{{- define "fieldmark.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- if hasKey $config "inCluster" -}}
{{- $authority := dict "caFile" (printf "%s/ca.crt" (include "fieldmark.account" .)) -}}
{{- $config = set $config "inCluster" (merge (dict) (default dict $config.inCluster) $authority) -}}
{{- end -}}
{{- if .Values.impersonation.enabled -}}
{{- $here := dig "inCluster" "name" "in-cluster" $config -}}
{{- $account := dict "tokenFile" (printf "%s/token" (include "fieldmark.account" .)) -}}
{{- $clusters := mergeOverwrite (default dict $config.clusters) (dict $here (dict "impersonate" $account)) -}}
{{- $config = mergeOverwrite $config (dict "impersonateGroups" .Values.impersonation.groups "clusters" $clusters) -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}
