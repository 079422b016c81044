import CFFmpeg

/// Codecs by the short names that people know.
enum CodecName {
    private static let names: [UInt32: String] = [
        AV_CODEC_ID_VORBIS.rawValue: "Vorbis", AV_CODEC_ID_OPUS.rawValue: "Opus",
        AV_CODEC_ID_FLAC.rawValue: "FLAC", AV_CODEC_ID_ALAC.rawValue: "ALAC",
        AV_CODEC_ID_WAVPACK.rawValue: "WavPack", AV_CODEC_ID_APE.rawValue: "Monkey's Audio",
        AV_CODEC_ID_MP3.rawValue: "MP3", AV_CODEC_ID_MP2.rawValue: "MP2",
        AV_CODEC_ID_AC3.rawValue: "AC-3", AV_CODEC_ID_EAC3.rawValue: "E-AC-3",
        AV_CODEC_ID_WMAV1.rawValue: "WMA", AV_CODEC_ID_WMAV2.rawValue: "WMA",
        AV_CODEC_ID_WMAPRO.rawValue: "WMA Pro", AV_CODEC_ID_WMALOSSLESS.rawValue: "WMA Lossless",
        AV_CODEC_ID_SPEEX.rawValue: "Speex", AV_CODEC_ID_TTA.rawValue: "True Audio",
        AV_CODEC_ID_MUSEPACK7.rawValue: "Musepack", AV_CODEC_ID_MUSEPACK8.rawValue: "Musepack",
    ]

    static func of(_ codec: Codec) -> String {
        let context = unsafe codec.context.pointee
        if unsafe context.codec_id == AV_CODEC_ID_AAC {
            switch unsafe context.profile {
            case FF_PROFILE_AAC_HE: return "HE-AAC"
            case FF_PROFILE_AAC_HE_V2: return "HE-AAC v2"
            default: return "AAC"
            }
        }
        if let name = unsafe names[context.codec_id.rawValue] { return name }
        let name = unsafe String(cString: avcodec_get_name(context.codec_id))
        return name.hasPrefix("pcm_") ? "PCM" : name.uppercased()
    }
}

/// Containers by the short names that people know.
enum ContainerName {
    private static let names = [
        "mov": "MP4", "matroska": "Matroska", "ogg": "Ogg", "flac": "FLAC", "wav": "WAV", "aac": "ADTS",
        "asf": "ASF", "mpegts": "MPEG-TS", "aiff": "AIFF", "wv": "WavPack", "w64": "Wave64", "avi": "AVI",
        "ape": "Monkey's Audio", "tta": "True Audio", "mpc": "Musepack", "mpc8": "Musepack", "au": "AU",
        "caf": "CAF", "flv": "FLV", "dsf": "DSD",
    ]

    static func of(_ format: UnsafePointer<AVInputFormat>) -> String {
        let name = unsafe String(cString: format.pointee.name)
        let first = String(name.prefix { $0 != "," })
        return names[first] ?? first.uppercased()
    }
}
