/** The JSON parts of a trigger, as they are stored. */

interface Leaf {
  path: string
  operator: string
  value?: unknown
}
export type ConditionTree = Leaf | { all: ConditionTree[] } | { any: ConditionTree[] }

export interface StageMapping {
  state_path?: string | undefined
  values?: Record<string, 'warning' | 'critical' | 'healthy'> | undefined
  default_stage?: 'warning' | 'critical' | 'healthy' | undefined
}

export interface OutputMapping {
  fingerprint_path?: string | undefined
  summary_path?: string | undefined
  error_message_path?: string | undefined
  region_path?: string | undefined
  external_event_id_path?: string | undefined
  observed_at_path?: string | undefined
}

export interface SafetySettings {
  public_post_mode?: 'draft_only' | 'automatic' | undefined
}

export type Associations = { monitor_id: number; kind: 'beat' | 'beat_group'; role: 'stage' | 'evidence' }[]
