/// The release that these programs belong to, by Semantic Versioning.
package enum Version {
    package static let current = "0.1.0"
}
