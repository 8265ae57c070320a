import { type HubConnection, HubConnectionBuilder, type IHttpConnectionOptions, LogLevel } from '@microsoft/signalr'

/** Pauses in milliseconds before each attempt to reconnect. After the last attempt, the client gives up (behaviour B-203). */
const pausesMs = [0, 2000, 10_000, 30_000]
/**
 * After this many milliseconds without a message, the server counts as gone. The client sends keep-alive messages at the same interval
 * (behaviour B-204).
 */
const silenceMs = 30_000
const keepAliveMs = 15_000
/** Bytes of unsent calls to buffer while reconnecting (behaviour B-205). */
const bufferBytes = 100_000

/** Creates a connection to an organisation's hub with the official SignalR client, at the intervals that all clients of the hub use. */
export function createHubConnection(url: string, options: IHttpConnectionOptions): HubConnection {
  return new HubConnectionBuilder()
    .withUrl(url, options)
    .withAutomaticReconnect(pausesMs)
    .withStatefulReconnect({ bufferSize: bufferBytes })
    .withServerTimeout(silenceMs)
    .withKeepAliveInterval(keepAliveMs)
    .configureLogging(LogLevel.None)
    .build()
}
