{{- define "bellwether.name" -}}
{{ default .Release.Name .Values.nameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "bellwether.selector" -}}
app.kubernetes.io/name: bellwether
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "bellwether.labels" -}}
{{ include "bellwether.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "bellwether.image" -}}
{{- if .Values.image.digest -}}
{{ printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else -}}
{{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end -}}
{{- end }}

{{- /* Not the name of a Secret that an operator would make: a hook replaces an object of its name, whoever made it. */ -}}
{{- define "bellwether.secret" -}}
{{ if .Values.secret.values }}{{ include "bellwether.name" . }}-settings{{ else }}{{ .Values.secret.existing }}{{ end }}
{{- end }}

{{- define "bellwether.publicUrl" -}}
{{ if .Values.publicUrl }}{{ .Values.publicUrl }}{{ else if .Values.ingress.enabled }}{{ printf "https://%s" .Values.ingress.host }}{{ end }}
{{- end }}

{{- /* The metadata and spec of a pod. Takes root, part (api, worker, all, migrate), args and resources. */ -}}
{{- define "bellwether.pod" -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "bellwether.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .part }}
  annotations:
    {{- /* A changed Secret of the chart restarts the pods; an existing one needs "kubectl rollout restart". */}}
    checksum/secret: {{ toYaml $values.secret.values | sha256sum }}
    {{- with $values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- if ne .part "migrate" }}
  serviceAccountName: {{ include "bellwether.name" .root }}
  # preStop, SHUTDOWN_TIMEOUT_SECONDS, 15 seconds that a shutdown takes at most beyond it, and a margin.
  terminationGracePeriodSeconds: 60
  {{- else }}
  restartPolicy: Never
  {{- end }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with $values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if or (eq .part "api") (eq .part "worker") }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "bellwether.selector" .root | nindent 10 }}
          app.kubernetes.io/component: {{ .part }}
  {{- end }}
  containers:
    - name: {{ .part }}
      image: {{ include "bellwether.image" .root | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args:
        {{- toYaml .args | nindent 8 }}
      envFrom:
        - secretRef:
            name: {{ include "bellwether.secret" .root }}
            {{- if $values.embedded.enabled }}
            # The embedded database has no address, and the first start generates a key on the volume.
            optional: true
            {{- end }}
        {{- with $values.extraEnvFrom }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      env:
        {{- with include "bellwether.publicUrl" .root }}
        - name: PUBLIC_URL
          value: {{ . | quote }}
        {{- end }}
        {{- if and $values.ingress.enabled (not (hasKey $values.config "TRUST_PROXY")) }}
        - name: TRUST_PROXY
          value: "1"
        {{- end }}
        {{- range $name, $value := $values.config }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
        - name: SHUTDOWN_TIMEOUT_SECONDS
          value: "30"
      {{- if ne .part "migrate" }}
      ports:
        - name: http
          containerPort: 3000
      # Liveness counts later. Without the Job the first start migrates, which may take an hour, as with the Job.
      startupProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 2
        failureThreshold: {{ ternary 60 1800 (and $values.migration.enabled (ne .part "all")) }}
      livenessProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      {{- end }}
      {{- if or (eq .part "api") (eq .part "all") }}
      lifecycle:
        # Until the Service has stopped sending requests to the pod.
        preStop:
          sleep:
            seconds: 5
      {{- end }}
      resources:
        {{- toYaml .resources | nindent 8 }}
      securityContext:
        readOnlyRootFilesystem: true
        allowPrivilegeEscalation: false
        capabilities:
          drop:
            - ALL
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        {{- if eq .part "all" }}
        - name: data
          mountPath: /data
        - name: memory
          mountPath: /dev/shm
        {{- end }}
        {{- with $values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if eq .part "all" }}
    # PostgreSQL shares memory between its processes there.
    - name: memory
      emptyDir:
        medium: Memory
        sizeLimit: 256Mi
    {{- end }}
    {{- with $values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
