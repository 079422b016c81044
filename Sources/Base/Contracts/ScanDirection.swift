/// Where an item is scanned to while a key is held.
package enum ScanDirection: String, Sendable, CaseIterable { case forward, backward }
